import type { Localizer } from '../../base/localizer';
import {
  type ConfigNode,
  type ConfigProblem,
  elementsOf,
  isVariable,
  literalString,
  membersOf,
} from './configDiagnostic';
import {
  AUTH_TYPES,
  MAX_HEARTBEAT_WINDOW_MS,
  MAX_PORT,
  MIN_HEARTBEAT_WINDOW_MS,
} from './ruleTables';
import { parseDuration } from './schedule';
import {
  createMissingKey,
  createUnknownValue,
  entriesOf,
  findDurationProblem,
  findUrlProblem,
  findMember,
  isNonEmpty,
  isPortTooLarge,
} from './valueRules';

type Problems = Generator<ConfigProblem | undefined, void, void>;

/**
 * Finds invalid values in the sections that aren't lists: network, authentication, and cloud. Yields
 * undefined between steps without a problem.
 */
export function* findSectionProblems(config: ConfigNode, l10n: Localizer): Problems {
  const sections = membersOf(config);
  yield* networkProblems(sections.get('network'), l10n);
  yield* authProblems(sections.get('auth'), l10n);
  yield* cloudProblems(sections.get('cloud'), l10n);
}

/**
 * Machines don't load a config whose network section is invalid. An invalid duration is omitted when
 * the service sends the config.
 */
function* networkProblems(network: ConfigNode | undefined, l10n: Localizer): Problems {
  if (!network) return;
  yield findBindAddressProblem(findMember(network, 'bind_address'), l10n);
  const [certificate, key] = ['tls_cert_file', 'tls_key_file'].map((one) =>
    findMember(network, one),
  );
  if (isNonEmpty(certificate) !== isNonEmpty(key)) {
    const at = isNonEmpty(certificate) ? certificate : key;
    const missing = at === certificate ? 'tls_key_file' : 'tls_cert_file';
    const message = l10n.t(
      'Machines don\'t load a config with only one of "tls_cert_file" and "tls_key_file". Add "{0}".',
      missing,
    );
    if (at) yield { code: 'invalidNetwork', at, message };
  }
  yield findHeartbeatProblem(findMember(findMember(network, 'sessions'), 'heartbeat_window'), l10n);
  for (const endpoint of entriesOf(findMember(network, 'traffic_tunnel_endpoints'))) {
    yield findPortProblem(findMember(endpoint, 'port'), l10n);
    yield findDurationProblem(findMember(endpoint, 'connection_timeout'), l10n);
  }
}

/** A host that can be empty, a colon, and a port or the name of a port. */
const BIND_ADDRESS = /^(?:\[[^[\]]*\]|[^:[\]]*):(?<port>[^:[\]]*)$/;

function findBindAddressProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const written = literalString(at);
  if (!at || !written) return undefined;
  const match = BIND_ADDRESS.exec(written);
  if (match && !isPortTooLarge(match.groups?.port)) return undefined;
  const message = l10n.t(
    '"{0}" is not a valid bind address, so machines don\'t load the config. Use a host and a port, for example localhost:8080, or :8080 for all interfaces.',
    written,
  );
  return { code: 'invalidNetwork', at, message };
}

function findHeartbeatProblem(
  at: ConfigNode | undefined,
  l10n: Localizer,
): ConfigProblem | undefined {
  const written = literalString(at);
  const window = written === undefined ? undefined : parseDuration(written);
  if (!at || window === undefined) return findDurationProblem(at, l10n);
  const isValid = window >= MIN_HEARTBEAT_WINDOW_MS && window <= MAX_HEARTBEAT_WINDOW_MS;
  if (window === 0 || isValid) return undefined;
  const message = l10n.t(
    'Machines don\'t load a config with the heartbeat window "{0}". Use a duration from 30ms to 1m.',
    written ?? '',
  );
  return { code: 'invalidNetwork', at, message };
}

function findPortProblem(at: ConfigNode | undefined, l10n: Localizer): ConfigProblem | undefined {
  const port: unknown = at?.node.type === 'number' ? at.node.value : undefined;
  // The schema has a minimum of 1.
  if (!at || typeof port !== 'number' || port < 1) return undefined;
  if (Number.isInteger(port) && port <= MAX_PORT) return undefined;
  const message = l10n.t(
    '{0} is not a valid port. Use a number from 1 to {1}.',
    String(port),
    String(MAX_PORT),
  );
  return { code: 'invalidNumber', at, message };
}

/** Machines don't load a config with a handler that they can't use. */
function* authProblems(auth: ConfigNode | undefined, l10n: Localizer): Problems {
  const seen = new Set<string>();
  for (const handler of entriesOf(findMember(auth, 'handlers'))) {
    const type = findMember(handler, 'type');
    const written = literalString(type);
    if (!type) yield createMissingKey('invalidAuth', handler, 'type', l10n);
    if (!type || written === undefined) continue;
    if (!AUTH_TYPES.includes(written)) {
      yield { ...createUnknownValue(type, written, AUTH_TYPES, l10n), code: 'invalidAuth' };
    } else if (seen.has(written)) {
      const message = l10n.t(
        'Two handlers have the type "{0}", so machines don\'t load the config. Merge them.',
        written,
      );
      yield { code: 'invalidAuth', at: type, message };
    } else if (written === 'api-key' && !hasApiKeys(findMember(handler, 'config'))) {
      const message = l10n.t(
        'This handler has no API keys, so machines don\'t load the config. List the IDs of the keys in "config.keys".',
      );
      yield { code: 'invalidAuth', at: type, message };
    }
    seen.add(written);
  }
}

/** Returns true if a handler lists its keys, also as older machines expected it. */
function hasApiKeys(config: ConfigNode | undefined): boolean {
  const keys = findMember(config, 'keys');
  const isListed = keys !== undefined && elementsOf(keys).length > 0;
  return (
    isListed || isVariable(config) || isVariable(keys) || isNonEmpty(findMember(config, 'key'))
  );
}

function* cloudProblems(cloud: ConfigNode | undefined, l10n: Localizer): Problems {
  yield findDurationProblem(findMember(cloud, 'refresh_interval'), l10n);
  yield findUrlProblem(findMember(cloud, 'app_address'), l10n);
}
