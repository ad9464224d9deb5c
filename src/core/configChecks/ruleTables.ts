import { listedValuesAt } from './configSchema';

/** Required keys for the entries in each section. Alternatives are separated by `|`. */
export const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    components: ['name', 'type|api', 'model'],
    // A service's name and model are optional, because the machine has defaults for them.
    services: ['type|api'],
    remotes: ['name', 'address'],
    processes: ['id', 'name'],
    jobs: ['name', 'schedule', 'resource', 'method'],
    triggers: ['name', 'event'],
    log: ['pattern', 'level'],
    packages: ['name', 'package', 'type'],
  }),
);

/**
 * Sections whose entries have unique names, and the key that contains the name. The service itself
 * rejects repeated names of components, modules, and remotes.
 */
export const UNIQUE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    packages: 'name',
    processes: 'id',
    jobs: 'name',
    triggers: 'name',
  }),
);

/**
 * Minimum length of an unknown key that can be a misspelling. Shorter keys resemble too many known
 * keys.
 */
export const MIN_SIMILAR_LENGTH = 3;
/** Names of built-in models. */
export const MODEL_NAME = /^[\w-]+$/;
export const NAME = /^[a-zA-Z0-9][\w-]*$/;
export const MAX_NAME_LENGTH = 60;
/** Maximum length of the names of modules and packages. */
export const MAX_LONG_NAME_LENGTH = 200;
export const RESERVED_MODULE_NAME = 'parent';
export const TRIPLET = /^[\w-]+:[\w-]+:[\w-]+$/;
export const MODULE_ID = /^[\w-]+:[\w-]+$/;
export const PACKAGE_ID = /^[\w-]+\/[\w.-]+$/;
export const VERSION = /^\d+(?:\.\d+){0,2}(?:[-+][\w.+-]+)?$/;
export const LATEST = ['latest', 'latest-with-prerelease'];

export const API_TYPES = {
  // Machine software had the type `audio_input` until 2026. The schema doesn't list it, so that
  // completions don't offer it.
  components: [...listedValuesAt('components', '*', 'type'), 'audio_input'],
  services: [...listedValuesAt('services', '*', 'type'), 'video'],
} as const;
export const API_KINDS = { components: 'component', services: 'service' } as const;

type ClosedValues = readonly [section: string, keys: readonly string[], values: readonly string[]];

/** Keys with a fixed set of values. Machines ignore the case of these values. */
const LEVELS = ['debug', 'info', 'warn', 'warning', 'error'];
export const CLOSED_VALUES: readonly ClosedValues[] = [
  ['components', ['log_configuration', 'level'], LEVELS],
  ['services', ['log_configuration', 'level'], LEVELS],
  ['jobs', ['log_configuration', 'level'], LEVELS],
  ['log', ['level'], LEVELS],
  ['global_log_configuration', ['level'], LEVELS],
  ['modules', ['log_level'], LEVELS],
  ['modules', ['type'], ['registry', 'local']],
  [
    'components',
    ['frame', 'orientation', 'type'],
    listedValuesAt('components', '*', 'frame', 'orientation', 'type'),
  ],
  [
    'components',
    ['frame', 'geometry', 'type'],
    [...listedValuesAt('components', '*', 'frame', 'geometry', 'type'), 'mesh'],
  ],
];

export const DURATIONS: readonly (readonly [section: string, key: string])[] = [
  ['modules', 'first_run_timeout'],
  ['remotes', 'connection_check_interval'],
  ['remotes', 'reconnect_interval'],
  ['processes', 'stop_timeout'],
];

/** Package types that machines install. The registry has more, which only other programs use. */
export const MACHINE_PACKAGE_TYPES = listedValuesAt('packages', '*', 'type');

export const AUTH_TYPES = listedValuesAt('auth', 'handlers', '*', 'type');

export const MAX_PORT = 65_535;
export const MIN_HEARTBEAT_WINDOW_MS = 30;
export const MAX_HEARTBEAT_WINDOW_MS = 60_000;

/** Events of triggers, and the key that each of them requires. */
export const EVENT_KEYS: ReadonlyMap<string, string | undefined> = new Map([
  ['part_online', undefined],
  ['part_offline', undefined],
  ['part_data_ingested', 'data_ingested'],
  ['conditional_data_ingested', 'conditional'],
  ['conditional_logs_ingested', 'log_levels'],
]);
export const DATA_TYPES = listedValuesAt(
  ...['triggers', '*', 'event', 'data_ingested', 'data_types', '*'],
);
export const TRIGGER_LOG_LEVELS = listedValuesAt('triggers', '*', 'event', 'log_levels', '*');
export const OPERATORS = ['lt', 'gt', 'lte', 'gte', 'eq', 'neq', 'regex'];
export const NOTIFICATION_TYPES = listedValuesAt('triggers', '*', 'notifications', '*', 'type');
/** Recipient of an email notification that stands for the owners of the machine. */
export const ALL_OWNERS = 'all_machine_owners';
