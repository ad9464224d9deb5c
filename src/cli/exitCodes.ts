/** Exit codes of the process, for use in scripts. */
export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** The manifest or the build has errors; nothing was sent. */
export const EXIT_UNFIT = 3;
