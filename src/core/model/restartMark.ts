/**
 * Where a part stands after it was marked for restart: `asked` until its machine calls, `told` from then
 * until it restarts, `none` afterwards.
 */
export type RestartMark = 'asked' | 'told' | 'none';

/**
 * The header of answers to GetRobotPart that tells the mark. The messages of the wire have no place for
 * it, and clients that do not know it pass over it; other services do not send it.
 */
export const RESTART_MARK_HEADER = 'fleetwright-restart';

const MARKS: readonly RestartMark[] = ['asked', 'told', 'none'];

/** The mark that a header's text names; undefined for services that do not tell it. */
export function restartMarkOf(text: string | null): RestartMark | undefined {
  return MARKS.find((mark) => mark === text);
}
