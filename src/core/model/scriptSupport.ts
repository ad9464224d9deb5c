/**
 * The header of answers to ListTrainingJobs that tells whether the service runs training scripts, `on` or `off`.
 * The messages of the wire have no field for it; clients that do not know it ignore it, and other services do not
 * send it.
 */
export const SCRIPT_SUPPORT_HEADER = 'fleetwright-training-scripts';

/** Returns the text of the header. */
export function formatScriptSupport(runsScripts: boolean): string {
  return runsScripts ? 'on' : 'off';
}

/** Reads the header; undefined for services that do not tell it. */
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
