/** Safari and Firefox allow about a hundred changes of the address in half a minute, and throw a SecurityError at the next. */
const everyMs = 500;

export interface AddressWriter {
  /** Sets the page's address at once, or within half a second; of several calls the last counts. */
  write(address: string): void;
  /** Drops an address that is not written yet, because the next page has its own. */
  end(): void;
}

/**
 * Keeps the address of a playing page up to date without changing it too often. If the browser refuses an address, nothing else happens.
 * @param pathname of the page: while the visitor goes back it still plays, although the browser already has the other page's address
 */
export function createAddressWriter(pathname: string): AddressWriter {
  let waiting: string | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const put = () => {
    timer = null;
    if (waiting === null) return;
    const address = waiting;
    waiting = null;
    if (location.pathname !== pathname) return;
    timer = setTimeout(put, everyMs);
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // Other parts of the page change the address, too; the next change is tried again.
    }
  };
  return {
    write(address) {
      waiting = address;
      if (timer === null) put();
    },
    end() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      waiting = null;
    },
  };
}
