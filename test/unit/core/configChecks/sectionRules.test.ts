import assert from 'node:assert/strict';
import { applyEdits, findNodeAtLocation, modify } from 'jsonc-parser';
import { atOnce } from '../../../../src/base/slices';
import { englishLocalizer } from '../../../../src/base/localizer';
import { checkConfig, type CheckOptions } from '../../../../src/core/configChecks/checkConfig';
import { findStructureProblems } from '../../../../src/core/configChecks/structureRules';
import { parseStrictTree } from '../../../../src/core/documents/jsonText';
import type { ConfigDiagnostic } from '../../../../src/core/configChecks/configDiagnostic';

// Misspelled on purpose: cspell:ignore apikey binarry emial equals lastest onlin webhok

/** Valid config with the sections that aren't about resources. */
const CELL = {
  network: {
    fqdn: 'cell-7',
    bind_address: '0.0.0.0:8080',
    tls_cert_file: '/etc/cell/cert.pem',
    tls_key_file: '/etc/cell/key.pem',
    sessions: { heartbeat_window: '2s' },
    traffic_tunnel_endpoints: [{ port: 8080, connection_timeout: '10s' }],
  },
  auth: {
    handlers: [{ type: 'api-key', config: { keys: ['${KEY_ID}'], '${KEY_ID}': '${KEY}' } }],
    tls_auth_entities: ['cell-7'],
  },
  cloud: { id: 'part-7', app_address: 'https://fleet.example.com:443', refresh_interval: '10s' },
  remotes: [
    {
      name: 'east',
      address: 'east-main.example.com:8080',
      frame: { parent: 'world' },
      auth: { entity: 'east', credentials: { type: 'api-key', payload: '${KEY}' } },
    },
    { name: 'west', address: '[fd00::1]:8080' },
    { name: 'local', address: 'unix:///run/cell.sock' },
  ],
  modules: [{ type: 'local', name: 'sensors', executable_path: '/opt/sensors' }],
  packages: [
    { name: 'parts', package: 'acme/parts', type: 'ml_model', version: '2026-01-31T10-20-30' },
  ],
  triggers: [
    {
      name: 'offline',
      event: { type: 'part_offline' },
      notifications: [
        { type: 'email', value: 'ops@example.com', seconds_between_notifications: 60 },
        { type: 'email', value: 'all_machine_owners' },
      ],
    },
    {
      name: 'data',
      event: { type: 'part_data_ingested', data_ingested: { data_types: ['binary', 'file'] } },
      notifications: [{ type: 'webhook', value: 'https://example.com/hook' }],
    },
    {
      name: 'hot',
      event: {
        type: 'conditional_data_ingested',
        conditional: {
          data_capture_method: 'sensor:oven:Readings',
          conditions: { evals: [{ operator: 'gt', value: { celsius: 90 } }] },
        },
      },
    },
    { name: 'log', event: { type: 'conditional_logs_ingested', log_levels: ['error', 'warn'] } },
  ],
};

const TEXT = JSON.stringify(CELL, undefined, 2);

type Path = readonly (string | number)[];

/** Returns the valid config with one value replaced, added, or, if undefined, removed. */
function mutate(path: Path, value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return applyEdits(TEXT, modify(TEXT, [...path], value, { formattingOptions }));
}

function check(text: string, options: Partial<CheckOptions> = {}): ConfigDiagnostic[] {
  const defaults = { resolved: undefined, isFragment: false, l10n: englishLocalizer };
  return checkConfig(text, { ...defaults, ...options });
}

/** Returns the code, the severity, and the marked text of each diagnostic. */
function summarize(text: string, found = check(text)): readonly (readonly string[])[] {
  return found.map(({ code, severity, offset, length }) => [
    code,
    severity,
    text.slice(offset, offset + length),
  ]);
}

describe('the rules for the sections of a config', () => {
  it('accept a valid config, including the types of its values', () => {
    assert.deepEqual(summarize(TEXT, check(TEXT, { hasTypeChecks: true })), []);
  });

  const invalid: readonly [
    path: Path,
    value: unknown,
    code: string,
    severity: string,
    marked?: string,
  ][] = [
    [['network', 'bind_address'], 'localhost', 'invalidNetwork', 'error'],
    [['network', 'bind_address'], '::1:8080', 'invalidNetwork', 'error'],
    [['network', 'bind_address'], ':70000', 'invalidNetwork', 'error'],
    [['network', 'tls_key_file'], undefined, 'invalidNetwork', 'error', '"/etc/cell/cert.pem"'],
    [['network', 'tls_cert_file'], '', 'invalidNetwork', 'error', '"/etc/cell/key.pem"'],
    [['network', 'sessions', 'heartbeat_window'], '2m', 'invalidNetwork', 'error'],
    [['network', 'sessions', 'heartbeat_window'], '10ms', 'invalidNetwork', 'error'],
    [['network', 'sessions', 'heartbeat_window'], '2', 'invalidDuration', 'warning'],
    [
      ['network', 'traffic_tunnel_endpoints', 0, 'connection_timeout'],
      '10 s',
      'invalidDuration',
      'warning',
    ],
    [['network', 'traffic_tunnel_endpoints', 0, 'port'], 70_000, 'invalidNumber', 'warning'],
    [['network', 'traffic_tunnel_endpoints', 0, 'port'], 80.5, 'invalidNumber', 'warning'],
    [['auth', 'handlers', 0, 'type'], undefined, 'invalidAuth', 'error', '{'],
    [['auth', 'handlers', 0, 'type'], 'apikey', 'invalidAuth', 'error'],
    [['auth', 'handlers', 0, 'config'], undefined, 'invalidAuth', 'error', '"api-key"'],
    [['auth', 'handlers', 0, 'config', 'keys'], [], 'invalidAuth', 'error', '"api-key"'],
    [
      ['auth', 'handlers', 1],
      { type: 'api-key', config: { keys: ['b'] } },
      'invalidAuth',
      'error',
      '"api-key"',
    ],
    [['cloud', 'refresh_interval'], 'often', 'invalidDuration', 'warning'],
    [['cloud', 'app_address'], 'fleet.example.com', 'invalidAddress', 'warning'],
    [['remotes', 0, 'address'], 'https://east.example.com/', 'invalidAddress', 'warning'],
    [['remotes', 0, 'address'], 'east main', 'invalidAddress', 'warning'],
    [['remotes', 0, 'address'], '', 'invalidAddress', 'warning'],
    [['remotes', 0, 'address'], 'east:808000', 'invalidAddress', 'warning'],
    [['remotes', 0, 'frame', 'parent'], undefined, 'missingKey', 'warning', '{'],
    [['remotes', 0, 'auth', 'credentials', 'type'], 'api_key', 'unknownValue', 'warning'],
    [['remotes', 0, 'auth', 'credentials', 'type'], 'password', 'unknownValue', 'hint'],
    [['modules', 0, 'name'], 'my sensors', 'invalidName', 'warning'],
    [['modules', 0, 'name'], 'parent', 'invalidName', 'warning'],
    [['modules', 0, 'name'], 'a'.repeat(201), 'invalidName', 'warning'],
    [['packages', 0, 'name'], 'acme/parts', 'invalidName', 'warning'],
    [['packages', 0, 'type'], 'archive', 'unknownValue', 'warning'],
    [['packages', 0, 'type'], 'ml-model', 'unknownValue', 'warning'],
    [['packages', 0, 'type'], undefined, 'missingKey', 'warning', '"parts"'],
    [['packages', 0, 'version'], 'lastest', 'invalidVersion', 'hint'],
    [['triggers', 0, 'event', 'type'], 'part_onlin', 'unknownValue', 'warning'],
    [['triggers', 0, 'event', 'type'], 'schedule', 'unknownValue', 'hint'],
    [['triggers', 0, 'event', 'type'], undefined, 'missingKey', 'warning', '{'],
    [['triggers', 1, 'event', 'data_ingested'], undefined, 'missingKey', 'warning', '{'],
    [
      ['triggers', 1, 'event', 'data_ingested', 'data_types', 0],
      'binarry',
      'unknownValue',
      'warning',
    ],
    [['triggers', 2, 'event', 'conditional'], undefined, 'missingKey', 'warning', '{'],
    [
      ['triggers', 2, 'event', 'conditional', 'data_capture_method'],
      undefined,
      'missingKey',
      'warning',
      '{',
    ],
    [
      ['triggers', 2, 'event', 'conditional', 'conditions', 'evals', 0, 'operator'],
      'equals',
      'unknownValue',
      'hint',
    ],
    [['triggers', 3, 'event', 'log_levels'], undefined, 'missingKey', 'warning', '{'],
    [['triggers', 3, 'event', 'log_levels', 0], 'errors', 'unknownValue', 'warning'],
    [['triggers', 0, 'notifications', 0, 'type'], 'emial', 'unknownValue', 'warning'],
    [['triggers', 0, 'notifications', 0, 'type'], 'push', 'unknownValue', 'hint'],
    [['triggers', 0, 'notifications', 0, 'type'], undefined, 'missingKey', 'warning', '{'],
    [['triggers', 0, 'notifications', 0, 'value'], 'ops', 'invalidAddress', 'warning'],
    [['triggers', 1, 'notifications', 0, 'value'], 'example.com', 'invalidAddress', 'warning'],
  ];
  for (const [path, value, code, severity, marked = JSON.stringify(value)] of invalid) {
    it(`report ${path.join('.')}: ${JSON.stringify({ value })}`.slice(0, 90), () => {
      assert.deepEqual(summarize(mutate(path, value)), [[code, severity, marked]]);
    });
  }

  const valid: readonly [path: Path, value: unknown][] = [
    [['network', 'bind_address'], ':8080'],
    [['network', 'bind_address'], '[::]:http'],
    [['network', 'bind_address'], '${HOST}:8080'],
    [['network', 'bind_address'], ''],
    [['network', 'sessions', 'heartbeat_window'], '0s'],
    [['network', 'sessions', 'heartbeat_window'], '60s'],
    [['network'], {}],
    [['auth'], {}],
    [['auth', 'handlers', 0, 'config'], { key: 'b' }],
    [['auth', 'handlers', 0, 'config'], { $variable: { name: 'config' } }],
    [['auth', 'handlers', 0, 'config', 'keys'], { $variable: { name: 'keys' } }],
    [['cloud', 'app_address'], 'http://localhost:8080'],
    [['remotes', 0, 'address'], 'east'],
    [['remotes', 0, 'frame'], { $variable: { name: 'frame' } }],
    [['modules', 0, 'name'], 'a'.repeat(200)],
    [['packages', 0, 'version'], 'v1'],
    [['triggers', 0, 'event'], { $variable: { name: 'event' } }],
    [['triggers', 1, 'notifications', 0, 'value'], { $variable: { name: 'hook' } }],
  ];
  for (const [path, value] of valid) {
    it(`accept ${path.join('.')}: ${JSON.stringify(value)}`.slice(0, 90), () => {
      assert.deepEqual(summarize(mutate(path, value)), []);
    });
  }

  it('suggest the host of a URL as the address of a remote', () => {
    const [found] = check(mutate(['remotes', 0, 'address'], 'https://east.example.com/'));
    assert.equal(found?.replacement, '"east.example.com"');
  });

  it('ignore sections of unexpected types', () => {
    for (const key of Object.keys(CELL)) {
      for (const value of [null, 1, 'text', [], {}, [null, 1, 'text', [], {}, [[]]]]) {
        assert.doesNotThrow(() => check(mutate([key], value), { hasTypeChecks: true }));
      }
    }
  });
});

describe('the rules for the structure of a config', () => {
  const rejected: readonly [config: unknown, code: string, marked: string, message: string][] = [
    [{ services: 1 }, 'rejectedStructure', '1', '"services" must be a list, enclosed in [ and ].'],
    [
      { jobs: ['a'] },
      'rejectedStructure',
      '"a"',
      '"jobs[0]" must be an object, enclosed in { and }.',
    ],
    [
      { jobs: [null] },
      'rejectedStructure',
      'null',
      '"jobs[0]" must be an object, enclosed in { and }.',
    ],
    [
      { fragments: [''] },
      'rejectedStructure',
      '""',
      'A fragment must be an ID or an object with an "id".',
    ],
    [
      { remotes: [{ name: 1, address: 'a' }] },
      'rejectedStructure',
      '1',
      '"remotes[0].name" must be text in double quotes.',
    ],
  ];
  for (const [config, code, marked, message] of rejected) {
    it(`report as an error what the service rejects: ${message}`, () => {
      const text = JSON.stringify(config);
      const found = check(text, { hasTypeChecks: true });
      assert.deepEqual(summarize(text, found), [[code, 'error', marked]]);
      assert.equal(found[0]?.message, message);
      // VS Code marks these values itself.
      assert.deepEqual(check(text), []);
    });
  }

  it('mark the second of two names that the service rejects, and no other problem with it', () => {
    const arm = { name: 'a', type: 'arm', model: 'fake' };
    const text = JSON.stringify({ components: [arm, { ...arm, type: 'gripper' }] });
    const found = check(text);
    assert.deepEqual(summarize(text, found), [['rejectedName', 'error', '"a"']]);
    assert.equal(found[0]?.offset, text.lastIndexOf('"a"'));
    assert.match(found[0].message, /^The name "a" is used twice, so the service rejects/);
  });

  it('list the entries of a section a fixed number of times, regardless of the rejections', () => {
    const countReads = (entries: number): number => {
      const arm = { name: 'a', type: 'arm', model: 'fake' };
      const text = JSON.stringify({ components: Array(entries).fill(arm) });
      const tree = parseStrictTree(text);
      const list = tree && findNodeAtLocation(tree, ['components']);
      assert.ok(list);
      const { children } = list;
      let reads = 0;
      Object.defineProperty(list, 'children', {
        get: () => {
          reads += 1;
          return children;
        },
      });
      atOnce(findStructureProblems({ node: tree, path: [] }, englishLocalizer));
      return reads;
    };
    assert.equal(countReads(50), countReads(5));
  });

  it('mark the first value that is nested too deeply, even if it is nested extremely deeply', () => {
    for (const levels of [31, 2_000]) {
      const text = `${'{"a":'.repeat(levels - 1)}{"b":1}${'}'.repeat(levels - 1)}`;
      const [found, ...others] = check(text);
      assert.deepEqual(others, []);
      assert.deepEqual([found?.code, found?.severity], ['tooDeep', 'error']);
      assert.equal(found?.offset, '{"a":'.length * 29 + 1);
      assert.equal(found.length, 3);
    }
    const lists = `{"a":${'['.repeat(29)}${']'.repeat(29)}}`;
    assert.deepEqual(check(lists), []);
    assert.deepEqual(summarize(lists.replace('[]', '[[]]')), [['tooDeep', 'error', '[']]);
  });

  it('report a config that is larger than the service allows', () => {
    const text = JSON.stringify({ notes: 'a'.repeat(4 * 1024 * 1024) });
    assert.deepEqual(summarize(text), [['tooLarge', 'error', '{']]);
  });
});

describe('the rules for the types of values', () => {
  const wrong: readonly [path: Path, value: unknown, message: string][] = [
    [['network'], [], '"network" must be an object, enclosed in { and }.'],
    [
      ['network', 'traffic_tunnel_endpoints', 0, 'port'],
      '80',
      '"network.traffic_tunnel_endpoints[0].port" must be a number, without quotes.',
    ],
    [
      ['remotes', 0, 'insecure'],
      'yes',
      '"remotes[0].insecure" must be true or false, without quotes.',
    ],
    [['remotes', 0, 'address'], 1, '"remotes[0].address" must be text in double quotes.'],
    [
      ['auth', 'tls_auth_entities'],
      'a',
      '"auth.tls_auth_entities" must be a list, enclosed in [ and ].',
    ],
    [
      ['auth', 'tls_auth_entities', 0],
      1,
      '"auth.tls_auth_entities[0]" must be text in double quotes.',
    ],
    [['modules', 0, 'env'], { PORT: 80 }, '"modules[0].env.PORT" must be text in double quotes.'],
    [
      ['processes'],
      [{ id: 'a', name: 'a', stop_signal: true }],
      '"processes[0].stop_signal" must have one of the following types: string, number.',
    ],
  ];
  for (const [path, value, message] of wrong) {
    it(`report ${message}`, () => {
      const text = mutate(path, value);
      const found = check(text, { hasTypeChecks: true });
      assert.deepEqual(
        found.map((one) => [one.code, one.severity, one.message]),
        [['wrongType', 'warning', message]],
      );
      // VS Code marks these values itself.
      assert.deepEqual(
        check(text).filter(({ code }) => code === 'wrongType'),
        [],
      );
    });
  }

  it('report numbers below a minimum and missing keys of overrides, like VS Code', () => {
    const text = JSON.stringify({
      network: { traffic_tunnel_endpoints: [{ port: 0 }] },
      fragment_mods: [{ fragment_id: 'f' }],
    });
    const found = check(text, { hasTypeChecks: true });
    assert.deepEqual(summarize(text, found), [
      ['invalidNumber', 'warning', '0'],
      ['missingKey', 'warning', '{'],
    ]);
  });

  it('accept variables, null, and values of unknown keys', () => {
    for (const value of [{ $variable: { name: 'a' } }, null]) {
      const text = mutate(['network', 'bind_address'], value);
      assert.deepEqual(check(text, { hasTypeChecks: true }), []);
    }
    const text = mutate(['network', 'weather'], 'fair');
    assert.deepEqual(check(text, { hasTypeChecks: true }), []);
  });
});
