/**
 * State of a part's restart request: `asked` (requested) until the machine checks in, `told`
 * (acknowledged) from then until it restarts, and `none` afterward.
 */
export type RestartMark = 'asked' | 'told' | 'none';

/**
 * Response header of GetRobotPart that contains the restart state. The wire messages have no field
 * for it. Clients that don't support the header ignore it, and other services don't send it.
 */
export const RESTART_MARK_HEADER = 'fleetwright-restart';

const MARKS: readonly RestartMark[] = ['asked', 'told', 'none'];

/** Parses the header; returns undefined for services that don't send it. */
export function parseRestartMark(text: string | null): RestartMark | undefined {
  return MARKS.find((mark) => mark === text);
}

/**
 * Response header of ListTrainingJobs that indicates whether the service runs training scripts
 * (`on` or `off`). The wire messages have no field for it. Clients that don't support the header
 * ignore it, and other services don't send it.
 */
export const SCRIPT_SUPPORT_HEADER = 'fleetwright-training-scripts';

/** Formats the header's value. */
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

/**
 * Response header of ListFragments and GetFragment that indicates that the service reports the
 * rollout of fragments. Clients that don't support the header ignore it, and other services don't
 * send it.
 */
export const ROLLOUT_HEADER = 'fleetwright-rollout';

/** Value of the header. */
export const ROLLOUT_SUPPORTED = 'on';

/**
 * Response header of GetRobotPart, GetRobotParts, and UpdateRobotPart that contains the config
 * states of the parts. The wire messages have no field for them. Clients that don't support the header
 * ignore it, and other services don't send it.
 */
export const CONFIG_STATE_HEADER = 'fleetwright-config-state';

/**
 * Request header of Config and NeedsRestart with which a machine reports the revision of the config
 * that it runs.
 */
export const APPLIED_REVISION_HEADER = 'fleetwright-applied-revision';

/** Maximum length of a reported revision. */
export const MAX_REVISION_LENGTH = 128;

/** Maximum number of parts in the header, because headers have a limited size. */
const MAX_STATES = 40;

/** Progress of a part's config from the service to the machine. */
export interface ConfigState {
  /** Revision that is stored in the service. */
  readonly saved: string;
  /** Last config that the machine has fetched; undefined if it has never fetched one. */
  readonly fetched: ConfigFetch | undefined;
  /** Config that the machine runs, as it reports; undefined if it doesn't report this. */
  readonly applied: { readonly revision: string; readonly at: Date } | undefined;
}

/** Last fetch of a config. */
export interface ConfigFetch {
  readonly revision: string;
  readonly at: Date;
  /** True if the fetched config contains all saved changes, including those in fragments. */
  readonly isCurrent: boolean;
  /** Time between the last two fetches in milliseconds; undefined after the first one. */
  readonly intervalMs: number | undefined;
}

/**
 * Progress of a config: `saved` until the machine has fetched it, `fetched` until the machine
 * reports that it runs it, and `applied` from then on. `neverFetched` means that the machine hasn't
 * fetched any config yet.
 */
export type ConfigStage = 'neverFetched' | 'saved' | 'fetched' | 'applied';

export function getConfigStage({ fetched, applied }: ConfigState): ConfigStage {
  if (!fetched) return 'neverFetched';
  if (!fetched.isCurrent) return 'saved';
  return applied?.revision === fetched.revision ? 'applied' : 'fetched';
}

/**
 * Returns true if a machine has yet to reach the next stage. Machines that don't report what they
 * run have no stage after `fetched`.
 */
export function isConfigPending(state: ConfigState): boolean {
  const stage = getConfigStage(state);
  return stage === 'saved' || (stage === 'fetched' && state.applied !== undefined);
}

const UNSET = '-';

/** Formats the header: the states of the first parts, each as a list of words. */
export function formatConfigStates(states: ReadonlyMap<string, ConfigState>): string {
  return [...states].slice(0, MAX_STATES).map(formatConfigState).join(',');
}

function formatConfigState([id, { saved, fetched, applied }]: readonly [
  string,
  ConfigState,
]): string {
  return [
    id,
    saved,
    fetched?.revision,
    fetched?.at.getTime(),
    fetched && Number(fetched.isCurrent),
    fetched?.intervalMs,
    applied?.revision,
    applied?.at.getTime(),
  ]
    .map((word) => String(word ?? UNSET))
    .join(' ');
}

/**
 * Parses the header. Returns an empty map for services that don't send it, and skips states in
 * unknown formats.
 */
export function parseConfigStates(text: string | null): ReadonlyMap<string, ConfigState> {
  const states = new Map<string, ConfigState>();
  for (const entry of (text ?? '').split(',')) {
    const words = entry.trim().split(' ');
    const [id, saved] = words;
    if (id === undefined || saved === undefined) continue;
    const [revision, at, isCurrent, interval, appliedRevision, appliedAt] = words
      .slice(2)
      .map((word) => (word === UNSET ? undefined : word));
    const [fetchedAt, reportedAt] = [parseTime(at), parseTime(appliedAt)];
    states.set(id, {
      saved,
      fetched:
        revision === undefined || fetchedAt === undefined
          ? undefined
          : {
              revision,
              at: fetchedAt,
              isCurrent: isCurrent === '1',
              intervalMs: interval === undefined ? undefined : Number(interval),
            },
      applied:
        appliedRevision === undefined || reportedAt === undefined
          ? undefined
          : { revision: appliedRevision, at: reportedAt },
    });
  }
  return states;
}

function parseTime(text: string | undefined): Date | undefined {
  const milliseconds = Number(text ?? NaN);
  return Number.isFinite(milliseconds) ? new Date(milliseconds) : undefined;
}

/** Returns true if a header can contain the revision: visible ASCII without the separators. */
export function isHeaderRevision(revision: string): boolean {
  const isShort = revision.length <= MAX_REVISION_LENGTH;
  return isShort && revision !== UNSET && /^[!-+\--~]+$/.test(revision);
}
