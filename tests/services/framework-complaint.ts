/** What Remix, React and Node print about misuse. It does not match the product's own log lines. */
export const frameworkComplaint =
  /REMIX FUTURE|React Router Future|^Warning: |hydrat|React error|react\.dev|DeprecationWarning|ExperimentalWarning/im;
