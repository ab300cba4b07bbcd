/** Safari and Firefox take about a hundred addresses in half a minute, and throw a SecurityError at the next. */
const everyMs = 500;

export interface AddressWriter {
  /** The page's address from now on, or within half a second: of several, the last. */
  write(address: string): void;
  /** What is not written yet never is: the page that follows has an address of its own. */
  end(): void;
}

/**
 * Keeps the address of a page that plays, however often where it stands changes. An address that a browser refuses stops nothing.
 * @param pathname the page's: on the way back to another one it still plays, while the browser's address is the other's already
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
      // Others on the page write addresses, too; the next one is tried again.
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
