/** What Remix, React and Node print about a misuse. The product's own lines in its log are none of these. */
export const frameworkComplaint =
  /REMIX FUTURE|React Router Future|^Warning: |hydrat|React error|react\.dev|DeprecationWarning|ExperimentalWarning/im;
