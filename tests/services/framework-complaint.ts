/** Messages of Remix, React and Node about misuse. The product's own log lines never match. */
export const frameworkComplaint =
  /REMIX FUTURE|React Router Future|^Warning: |hydrat|React error|react\.dev|DeprecationWarning|ExperimentalWarning/im;
