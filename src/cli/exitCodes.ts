/** How the process ends, for scripts to decide by. */
export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** The manifest or the build is not fit to be uploaded; nothing was sent. */
export const EXIT_UNFIT = 3;
