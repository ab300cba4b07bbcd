/**
 * Raised whenever the same footprints give another relief: kept ones of before are then not used any more. A test beside it
 * notices when that is forgotten.
 */
export const reliefVersion = 2;
