/** Warns that sign-in uses the built-in provider, which verifies nobody. */
export function LocalIdentityBanner() {
  return (
    <aside
      aria-label="Notice"
      className="border-b border-tee/30 bg-tee/10 px-4 py-1.5 text-center text-sm text-tee max-sm:text-xs"
    >
      Local mode: sign-in does not contact Steam.
    </aside>
  );
}
