/**
 * Version of the highlight rules. Raise it with every change after which the detectors find something else in the same demo: matches of
 * older versions are then detected anew, by the next import of the demo or in the background (decision 077).
 */
export const detectorVersion = 7;
