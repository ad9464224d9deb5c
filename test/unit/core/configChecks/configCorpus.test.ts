import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { englishLocalizer } from '../../../../src/base/localizer';
import { checkConfig } from '../../../../src/core/configChecks/checkConfig';
import type {
  ConfigDiagnostic,
  ConfigDiagnosticCode,
  ConfigSeverity,
} from '../../../../src/core/configChecks/configDiagnostic';
import { mutateText, renameKey } from './mutateText';

// Misspelled on purpose: cspell:ignore anex controler intervall pickr sensers unsets vidio

const FOLDER = join(import.meta.dirname, '../../../fixtures/machineConfigs');

const fixtures = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

function readFixture(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8');
}

function check(name: string, text: string): ConfigDiagnostic[] {
  const isFragment = name.startsWith('fragment');
  return checkConfig(text, { resolved: undefined, isFragment, l10n: englishLocalizer });
}

/** Severities of diagnostics that aren't warnings, unless a mistake below has another one. */
const SEVERITIES: Partial<Record<ConfigDiagnosticCode, ConfigSeverity>> = {
  invalidVersion: 'hint',
  sharedName: 'hint',
};

type Path = readonly (string | number)[];

/** A mistake in a fixture, the text that its only diagnostic marks, and the severity if it differs. */
type Mistake = readonly [
  fixture: string,
  path: Path,
  value: unknown,
  code: ConfigDiagnosticCode,
  marked: string,
  severity?: ConfigSeverity,
];

const MISTAKES: readonly Mistake[] = [
  // Missing keys
  ['namespaces', ['components', 0, 'type'], undefined, 'missingKey', 'press'],
  ['everyComponentApi', ['components', 5, 'api'], undefined, 'missingKey', 'button-b'],
  ['objectForms', ['components', 0, 'model'], undefined, 'missingKey', 'kiln'],
  ['defaultServices', ['services', 0, 'type'], undefined, 'missingKey', '{'],
  ['registryModules', ['modules', 2, 'module_id'], undefined, 'missingKey', 'tinker_part2'],
  ['registryModules', ['modules', 3, 'name'], undefined, 'missingKey', '{'],
  ['localModules', ['modules', 1, 'executable_path'], undefined, 'missingKey', 'packed'],
  ['machineLearning', ['packages', 0, 'package'], undefined, 'missingKey', 'apple-spotter'],
  ['remoteLogin', ['remotes', 1, 'address'], undefined, 'missingKey', 'shed'],
  ['remoteOptions', ['remotes', 0, 'name'], undefined, 'missingKey', '{'],
  ['processOptions', ['processes', 0, 'name'], undefined, 'missingKey', 'logger'],
  ['processes', ['processes', 2, 'id'], undefined, 'missingKey', '/usr/local/bin/bridge'],
  ['continuousJob', ['jobs', 0, 'schedule'], undefined, 'missingKey', 'watch'],
  ['cronJobs', ['jobs', 3, 'resource'], undefined, 'missingKey', 'ring-3'],
  ['intervalJobs', ['jobs', 1, 'method'], undefined, 'missingKey', 'rinse'],
  ['statusTriggers', ['triggers', 0, 'event'], undefined, 'missingKey', 'lost'],
  ['logPatterns', ['log', 1, 'pattern'], undefined, 'missingKey', '{'],
  ['disabledEntries', ['components', 0, 'model'], undefined, 'missingKey', 'spare-arm'],
  ['fragmentVariables', ['components', 0, 'model'], undefined, 'missingKey', 'arm'],
  ['fragmentVariableEntries', ['components', 1, 'type'], undefined, 'missingKey', 'hook'],
  // Types and APIs
  [
    'everyComponentType',
    ['components', 11, 'type'],
    'input_controler',
    'unknownApi',
    'input_controler',
  ],
  ['everyComponentType', ['components', 15, 'type'], 'powersensor', 'unknownApi', 'powersensor'],
  [
    'everyComponentApi',
    ['components', 1, 'api'],
    'rdk:component:audio-in',
    'unknownApi',
    'rdk:component:audio-in',
  ],
  ['everyServiceType', ['services', 4, 'type'], 'ml_model', 'unknownApi', 'ml_model'],
  [
    'everyServiceApi',
    ['services', 11, 'api'],
    'rdk:service:vidio',
    'unknownApi',
    'rdk:service:vidio',
  ],
  ['formerTypes', ['components', 0, 'type'], 'lidar', 'unknownApi', 'lidar', 'hint'],
  ['formerTypes', ['services', 0, 'type'], 'sensers', 'unknownApi', 'sensers'],
  [
    'customApis',
    ['components', 0, 'api'],
    'tinker:service:loom',
    'invalidApi',
    'tinker:service:loom',
  ],
  ['customApis', ['services', 0, 'api'], 'tinker:pattern', 'invalidApi', 'tinker:pattern'],
  ['worldState', ['services', 0, 'type'], 'world_state', 'unknownApi', 'world_state', 'hint'],
  ['discovery', ['services', 1, 'api'], 'rdk:services:shell', 'invalidApi', 'rdk:services:shell'],
  [
    'obstacles',
    ['components', 0, 'api'],
    'rdk.component.gripper',
    'invalidApi',
    'rdk.component.gripper',
  ],
  // Models
  ['audio', ['components', 0, 'model'], 'tinker:mic', 'invalidModel', 'tinker:mic'],
  [
    'mapping',
    ['services', 0, 'model'],
    'tinker:scan:map per',
    'invalidModel',
    'tinker:scan:map per',
  ],
  ['cameraChain', ['components', 1, 'model'], 'image.transform', 'invalidModel', 'image.transform'],
  [
    'firmwareUpdate',
    ['components', 0, 'model'],
    'tinker:chips:esp32',
    'modelWithoutModule',
    'tinker:chips:esp32',
  ],
  ['disabledEntries', ['services', 0, 'disabled'], false, 'modelWithoutModule', 'tinker:eyes:wide'],
  [
    'organizationModule',
    ['modules'],
    null,
    'modelWithoutModule',
    '3f0c9a1e-77b4-4c55-9c1d-0b0f4f8e6a21:lift:scissor',
  ],
  ['selectiveSync', ['modules'], undefined, 'modelWithoutModule', 'tinker:time:window'],
  // Names
  ['longestNames', ['components', 2, 'name'], 'left pump', 'invalidName', 'left pump'],
  ['longestNames', ['components', 2, 'name'], 'a'.repeat(61), 'invalidName', 'a'.repeat(61)],
  ['comments', ['services', 0, 'name'], 'capture+', 'invalidName', 'capture+'],
  ['remoteDefaults', ['remotes', 0, 'name'], 'loft:8083', 'invalidName', 'loft:8083'],
  ['folders', ['components', 0, 'name'], 'öfen', 'invalidName', 'öfen'],
  ['folders', ['services', 0, 'name'], 'oven', 'sharedName', 'oven'],
  ['everyServiceType', ['services', 10, 'name'], 'slam-a', 'sharedName', 'slam-a'],
  ['processes', ['processes', 1, 'id'], '1', 'duplicateName', '1'],
  ['cronJobs', ['jobs', 4, 'name'], 'ring-1', 'duplicateName', 'ring-1'],
  ['logTriggers', ['triggers', 1, 'name'], 'errors', 'duplicateName', 'errors'],
  ['packages', ['packages', 2, 'name'], 'net', 'duplicateName', 'net'],
  // Values from a list
  ['logLevels', ['components', 0, 'log_configuration', 'level'], 'trace', 'unknownValue', 'trace'],
  ['logLevels', ['services', 0, 'log_configuration', 'level'], 'warns', 'unknownValue', 'warns'],
  ['logLevels', ['global_log_configuration', 1, 'level'], 'off', 'unknownValue', 'off'],
  ['logPatterns', ['log', 3, 'level'], 'fatal', 'unknownValue', 'fatal'],
  ['intervalJobs', ['jobs', 2, 'log_configuration', 'level'], 'err', 'unknownValue', 'err'],
  ['reloadedModule', ['modules', 0, 'type'], 'remote', 'unknownValue', 'remote'],
  ['reloadedModule', ['modules', 0, 'log_level'], 'informational', 'unknownValue', 'informational'],
  ['packages', ['packages', 1, 'type'], 'slam-map', 'unknownValue', 'slam-map'],
  [
    'orientations',
    ['components', 2, 'frame', 'orientation', 'type'],
    'euler',
    'unknownValue',
    'euler',
  ],
  [
    'geometries',
    ['components', 0, 'frame', 'geometry', 'type'],
    'cuboid',
    'unknownValue',
    'cuboid',
  ],
  // IDs and versions
  ['organizationModule', ['modules', 0, 'module_id'], 'lift', 'invalidId', 'lift'],
  [
    'registryModules',
    ['modules', 0, 'module_id'],
    'tinker:part0:wheel',
    'invalidId',
    'tinker:part0:wheel',
  ],
  ['packages', ['packages', 0, 'package'], 'net', 'invalidId', 'net'],
  ['registryModules', ['modules', 4, 'version'], 'newest', 'invalidVersion', 'newest'],
  ['registryModules', ['modules', 5, 'version'], '^1.0.0', 'invalidVersion', '^1.0.0'],
  // Schedules and durations
  ['intervalJobs', ['jobs', 0, 'schedule'], '5 s', 'invalidSchedule', '5 s'],
  ['intervalJobs', ['jobs', 1, 'schedule'], '-1h', 'invalidSchedule', '-1h'],
  [
    'intervalJobs',
    ['jobs', 3, 'schedule'],
    '@every ten minutes',
    'invalidSchedule',
    '@every ten minutes',
  ],
  ['cronJobs', ['jobs', 0, 'schedule'], '40 24 * * *', 'invalidSchedule', '40 24 * * *'],
  ['cronJobs', ['jobs', 1, 'schedule'], '*/4 * * * * * *', 'invalidSchedule', '*/4 * * * * * *'],
  ['cronJobs', ['jobs', 2, 'schedule'], '0 0 6 * * MON#1', 'invalidSchedule', '0 0 6 * * MON#1'],
  ['cronJobs', ['jobs', 4, 'schedule'], '@sometimes', 'invalidSchedule', '@sometimes'],
  ['cronJobs', ['jobs', 6, 'schedule'], '0 0 * * 5-7', 'invalidSchedule', '0 0 * * 5-7'],
  [
    'localModules',
    ['modules', 2, 'first_run_timeout'],
    '10 minutes',
    'invalidDuration',
    '10 minutes',
  ],
  ['processOptions', ['processes', 0, 'stop_timeout'], '2,5s', 'invalidDuration', '2,5s'],
  ['remoteOptions', ['remotes', 0, 'connection_check_interval'], '10', 'invalidDuration', '10'],
  ['remoteDefaults', ['remotes', 0, 'reconnect_interval'], '1w', 'invalidDuration', '1w'],
  // References
  ['dependencyChain', ['components', 1, 'depends_on', 0], 'lit', 'unknownResource', 'lit'],
  [
    'dependencyChain',
    ['components', 0, 'depends_on', 0],
    'rdk:component:board/main',
    'unknownResource',
    'rdk:component:board/main',
  ],
  [
    'dependencyChain',
    ['services', 0, 'depends_on', 2],
    'rdk:service:generic/clack',
    'unknownResource',
    'rdk:service:generic/clack',
  ],
  [
    'wheeledBase',
    ['components', 5, 'depends_on', 1],
    'right_wheel',
    'unknownResource',
    'right_wheel',
  ],
  ['armFrames', ['components', 1, 'frame', 'parent'], 'pickr', 'unknownResource', 'pickr'],
  ['armFrames', ['components', 0, 'frame', 'parent'], 'worlds', 'unknownResource', 'worlds'],
  [
    'armLinkFrame',
    ['components', 1, 'frame', 'parent'],
    'train:forearm_link',
    'unknownResource',
    'train:forearm_link',
  ],
  ['frameIds', ['components', 0, 'frame', 'id'], 'table-bottom', 'unknownResource', 'table-top'],
  [
    'frameIds',
    ['components', 2, 'frame', 'parent'],
    'clamp_source',
    'unknownResource',
    'clamp_source',
  ],
  ['continuousJob', ['jobs', 1, 'resource'], 'crumb', 'unknownResource', 'crumb'],
  [
    'intervalJobs',
    ['jobs', 3, 'resource'],
    'rdk:component:sensor/tanks',
    'unknownResource',
    'rdk:component:sensor/tanks',
  ],
  ['selectiveSync', ['components', 0, 'name'], 'opening-hours', 'unknownResource', 'office-hours'],
  ['remotes', ['services', 0, 'depends_on', 1], 'anex', 'unknownResource', 'anex', 'hint'],
  [
    'remotes',
    ['components', 0, 'depends_on', 0],
    'garage:tray',
    'unknownResource',
    'garage:tray',
    'hint',
  ],
  ['importedById', ['components', 1, 'model'], 'tinker:knife', 'invalidModel', 'tinker:knife'],
  // Cycles
  ['relayBoard', ['components', 0, 'depends_on'], ['water-pump'], 'dependencyCycle', 'relay-board'],
  ['gpsStation', ['components', 0, 'depends_on'], ['corrected'], 'dependencyCycle', 'receiver'],
  ['dependencyChain', ['services', 1, 'depends_on'], ['recipe'], 'dependencyCycle', 'recipe'],
  ['armFrames', ['components', 0, 'frame', 'parent'], 'wrist-eye', 'frameCycle', 'picker'],
];

/** A key in a fixture, and a misspelling of the key. */
const MISSPELLINGS: readonly (readonly [fixture: string, path: Path, key: string, to: string])[] = [
  ['emptySections', [], 'fragment_mods', 'fragment_mod'],
  ['emptySections', [], 'global_log_configuration', 'global_log_config'],
  ['resourceConfigs', [], 'resource_configs', 'resource_config'],
  ['cloudApiKey', ['cloud'], 'refresh_interval', 'refresh_intervall'],
  ['networkAddress', ['network', 'sessions'], 'heartbeat_window', 'heart_beat_window'],
  ['networkCertificate', ['network'], 'tls_cert_file', 'tls_certfile'],
  [
    'networkCertificate',
    ['network', 'traffic_tunnel_endpoints', 0],
    'connection_timeout',
    'connection_time_out',
  ],
  ['loginExternal', ['auth'], 'external_auth_config', 'external_auth'],
  ['agent', ['agent'], 'version_control', 'versions_control'],
  ['localModules', ['modules', 2], 'tcp_mode', 'tpc_mode'],
  ['remoteLogin', ['remotes', 0, 'auth', 'credentials'], 'payload', 'payloads'],
  ['processOptions', ['processes', 0], 'username', 'user_name'],
  ['intervalJobs', ['jobs', 1], 'command', 'commands'],
  ['logTriggers', ['triggers', 0, 'event'], 'log_levels', 'log_level'],
  ['dataTriggers', ['triggers', 0, 'event'], 'data_ingested', 'data_ingest'],
  [
    'dataTriggers',
    ['triggers', 0, 'notifications', 0],
    'seconds_between_notifications',
    'second_between_notifications',
  ],
  ['importedWithChanges', ['fragment_mods', 0, 'mods', 1], '$unset', '$unsets'],
  [
    'dataCapture',
    ['components', 0, 'service_configs', 0, 'attributes'],
    'capture_methods',
    'capture_method',
  ],
  [
    'dataCapture',
    ['components', 0, 'service_configs', 0, 'attributes', 'capture_methods', 0],
    'capture_frequency_hz',
    'capture_frequency',
  ],
  ['geometries', ['components', 4, 'frame', 'geometry'], 'orientation', 'orientations'],
];

describe('checkConfig on the fixtures of machine configs', () => {
  it('has at least 60 configs, which the README lists in order', () => {
    assert.ok(fixtures.length >= 60, String(fixtures.length));
    const listed = readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^- `(\w+)`: \S/gm);
    assert.deepEqual([...listed].map(([, name]) => name).toSorted(), fixtures.toSorted());
  });

  for (const name of fixtures) {
    it(`finds no error and no warning in ${name}`, () => {
      const serious = check(name, readFixture(name)).filter(
        ({ severity }) => severity === 'error' || severity === 'warning',
      );
      assert.deepEqual(serious, []);
    });
  }

  for (const [name, path, value, code, marked, severity] of MISTAKES) {
    const change = value === undefined ? 'missing' : JSON.stringify(value);
    it(`finds ${code} in ${name}: ${path.join('.')} ${change}`, () => {
      const text = mutateText(readFixture(name), [...path], value);
      const found = check(name, text).map((one) => [one.code, one.severity, markedText(text, one)]);
      assert.deepEqual(found, [[code, severity ?? SEVERITIES[code] ?? 'warning', marked]]);
    });
  }

  for (const [name, path, key, to] of MISSPELLINGS) {
    it(`suggests ${key} in ${name}: ${[...path, to].join('.')}`, () => {
      const text = renameKey(readFixture(name), [...path], key, to);
      // The correct key, which is missing now, can have a diagnostic, too.
      const found = check(name, text).filter(({ code }) => code === 'misspelledKey');
      assert.deepEqual(
        found.map((one) => [one.severity, markedText(text, one), one.replacement]),
        [['hint', to, JSON.stringify(key)]],
      );
    });
  }
});

/** Returns the text that a diagnostic marks, without its quotes. */
function markedText(text: string, { offset, length }: ConfigDiagnostic): string {
  return text.slice(offset, offset + length).replaceAll('"', '');
}
