/**
 * State of a part's restart request: `asked` (requested) until the machine checks in, `told`
 * (acknowledged) from then until it restarts, and `none` afterward.
 */
export type RestartMark = 'asked' | 'told' | 'none';

/**
 * Response header of GetRobotPart that contains the restart state. The wire messages have no field
 * for it. Clients that don't know the header ignore it, and other services don't send it.
 */
export const RESTART_MARK_HEADER = 'fleetwright-restart';

const MARKS: readonly RestartMark[] = ['asked', 'told', 'none'];

/** Parses the header; returns undefined for services that don't send it. */
export function parseRestartMark(text: string | null): RestartMark | undefined {
  return MARKS.find((mark) => mark === text);
}

/**
 * Response header of ListTrainingJobs that indicates whether the service runs training scripts
 * (`on` or `off`). The wire messages have no field for it. Clients that don't know the header
 * ignore it, and other services don't send it.
 */
export const SCRIPT_SUPPORT_HEADER = 'fleetwright-training-scripts';

/** Formats the value of the header. */
export function formatScriptSupport(runsScripts: boolean): string {
  return runsScripts ? 'on' : 'off';
}

/** Parses the header; returns undefined for services that don't send it. */
export function parseScriptSupport(text: string | null): boolean | undefined {
  switch (text) {
    case 'on':
      return true;
    case 'off':
      return false;
    default:
      return undefined;
  }
}
