import assert from 'node:assert/strict';
import { englishLocalizer } from '../../../../src/base/localizer';
import {
  checkConfig,
  checkConfigInSteps,
  type CheckOptions,
} from '../../../../src/core/configChecks/checkConfig';
import type { ConfigDiagnostic } from '../../../../src/core/configChecks/configDiagnostic';
import { resolveText } from '../../../support/resolveText';
import { parseTree } from 'jsonc-parser';
import { mutateText, renameKey } from './mutateText';

// Misspelled on purpose: cspell:ignore adress atributes bord chronyd componets firstrun fram
// cspell:ignore senser geometri lastest maintainance modell moter oneshot orientaton perent reconect
// cspell:ignore registy servicez teleporter traslation trigers verison

/** Valid config that uses most sections, reduced from configs of real machines. */
const CELL = {
  network: { bind_address: ':8080', sessions: { heartbeat_window: '2s' } },
  components: [
    { name: 'board', api: 'rdk:component:board', model: 'fake', attributes: { analogs: [] } },
    {
      name: 'left-motor',
      type: 'motor',
      model: 'gpio',
      attributes: { board: 'board', pins: { pwm: '32', dir: '36' }, max_rpm: 100 },
      depends_on: ['board'],
      log_configuration: { level: 'DEBUG' },
    },
    {
      name: 'right-motor',
      namespace: 'rdk',
      type: 'motor',
      model: 'rdk:builtin:gpio',
      depends_on: ['rdk:component:board/board'],
    },
    {
      name: 'base',
      type: 'base',
      model: 'wheeled',
      attributes: { left: ['left-motor'], right: ['right-motor'], width_mm: 260 },
      frame: { parent: 'world', translation: { x: 0, y: 0, z: 0 }, id: 'base-frame' },
    },
    {
      name: 'arm',
      api: 'rdk:component:arm',
      model: 'acme:arms:six-axis',
      frame: {
        parent: 'base-frame',
        orientation: { type: 'ov_degrees', value: { x: 0, y: 0, z: 1, th: 0 } },
        geometry: { type: 'box', x: 10, y: 10, z: 10 },
      },
    },
    {
      name: 'wrist-camera',
      type: 'camera',
      model: 'webcam',
      frame: { parent: 'arm' },
      service_configs: [
        {
          type: 'data_manager',
          attributes: { capture_methods: [{ method: 'ReadImage', capture_frequency_hz: 1 }] },
        },
      ],
    },
    { name: 'gauge', api: 'acme:component:gauge', model: 'acme:sensors:gauge', disabled: true },
  ],
  services: [
    { name: 'data', type: 'data_manager', model: 'builtin', attributes: { sync_interval_mins: 1 } },
    { name: 'motion', type: 'motion' },
    {
      name: 'detector',
      api: 'rdk:service:vision',
      model: 'acme:vision:detector',
      depends_on: ['wrist-camera', 'east:camera'],
    },
  ],
  modules: [
    { type: 'registry', name: 'acme_arms', module_id: 'acme:arms', version: '1.2.3' },
    { type: 'local', name: 'sensors', executable_path: '/opt/sensors', log_level: 'info' },
    { name: 'vision', module_id: 'acme:vision', version: 'latest', first_run_timeout: '5m30s' },
  ],
  packages: [{ name: 'model', package: 'acme/parts-model', type: 'ml_model', version: 'latest' }],
  processes: [
    { id: 'clock', name: 'chronyd', args: ['-d'], one_shot: false, stop_timeout: '1.5s' },
  ],
  remotes: [{ name: 'east', address: 'east-main.example.com:8080', reconnect_interval: '1s' }],
  jobs: [
    { name: 'night', schedule: '40 2 * * *', resource: 'arm', method: 'DoCommand', command: {} },
    { name: 'poll', schedule: '5s', resource: 'gauge', method: 'GetReadings' },
    { name: 'watch', schedule: 'continuous', resource: 'wrist-camera', method: 'GetImages' },
    { name: 'tick', schedule: '*/4 * * * * *', resource: 'base', method: 'IsMoving' },
  ],
  triggers: [
    {
      name: 'offline',
      event: { type: 'part_offline' },
      notifications: [{ type: 'email', value: 'ops@example.com' }],
    },
  ],
  log: [{ pattern: 'rdk.components.*', level: 'warn' }],
  maintenance: { sensor_name: 'rdk:component:sensor/gauge', maintenance_allowed_key: 'safe' },
  notes: 'Keys that are not described are allowed.',
};

const GRIPPER = {
  components: [
    { name: 'gripper', type: 'gripper', model: { $variable: { name: 'model' } } },
    { name: 'finger', type: 'servo', model: 'fake', depends_on: ['arm'] },
  ],
};

/** Values of a diagnostic that a test compares: code, severity, and the marked text. */
type Expected = readonly [code: string, severity: string, marked: string];

function check(text: string, options: Partial<CheckOptions> = {}): ConfigDiagnostic[] {
  return checkConfig(text, {
    resolved: undefined,
    isFragment: false,
    l10n: englishLocalizer,
    ...options,
  });
}

function format(config: unknown): string {
  return JSON.stringify(config, undefined, 2);
}

/** Returns the valid config with one value replaced, added, or, if undefined, removed. */
function mutate(path: readonly (string | number)[], value: unknown): string {
  return mutateText(format(CELL), [...path], value);
}

/** Returns the valid config with one key renamed in an object. */
function rename(path: readonly (string | number)[], key: string, to: string): string {
  return renameKey(format(CELL), [...path], key, to);
}

function assertFound(text: string, expected: readonly Expected[]): void {
  const found = check(text).map(({ code, severity, offset, length }) => [
    code,
    severity,
    text.slice(offset, offset + length),
  ]);
  assert.deepEqual(found, expected);
}

describe('checkConfig', () => {
  it('reports nothing in a valid config', () => {
    assert.deepEqual(check(format(CELL)), []);
    assert.deepEqual(check('{}'), []);
  });

  it('does not report text that is not a JSON object', () => {
    for (const text of ['', '[]', '{"components": [', '{"a": 1,}']) {
      assert.deepEqual(check(text), []);
    }
  });

  it('ignores values of unexpected types', () => {
    for (const key of Object.keys(CELL)) {
      for (const value of [null, 1, 'text', [], {}, [null, 1, 'text', [], { name: 3 }]]) {
        assert.doesNotThrow(() => check(mutate([key], value)));
      }
    }
  });

  const misspelled: readonly [path: readonly (string | number)[], key: string, to: string][] = [
    [[], 'services', 'servicez'],
    [[], 'components', 'componets'],
    [[], 'modules', 'module'],
    [[], 'triggers', 'trigers'],
    [[], 'maintenance', 'maintainance'],
    [['network'], 'bind_address', 'bind_adress'],
    [['components', 0], 'attributes', 'atributes'],
    [['components', 1], 'depends_on', 'depend_on'],
    [['components', 1], 'log_configuration', 'log_config'],
    [['components', 2], 'namespace', 'name_space'],
    [['components', 3], 'frame', 'fram'],
    [['components', 3, 'frame'], 'parent', 'perent'],
    [['components', 3, 'frame'], 'translation', 'traslation'],
    [['components', 4, 'frame'], 'orientation', 'orientaton'],
    [['components', 4, 'frame'], 'geometry', 'geometri'],
    [['components', 5], 'service_configs', 'service_config'],
    [['components', 5, 'service_configs', 0], 'attributes', 'attribute'],
    [['components', 6], 'disabled', 'disable'],
    [['modules', 0], 'version', 'verison'],
    [['modules', 2], 'first_run_timeout', 'firstrun_timeout'],
    [['packages', 0], 'version', 'versions'],
    [['processes', 0], 'args', 'arg'],
    [['processes', 0], 'one_shot', 'oneshot'],
    [['remotes', 0], 'reconnect_interval', 'reconect_interval'],
    [['triggers', 0], 'notifications', 'notification'],
    [['maintenance'], 'sensor_name', 'sensor_nam'],
  ];
  for (const [path, key, to] of misspelled) {
    it(`suggests ${key} for ${[...path, to].join('.')}`, () => {
      const text = rename(path, key, to);
      const found = check(text).filter(({ code }) => code === 'misspelledKey');
      assert.deepEqual(
        found.map(({ severity, offset, length, replacement }) => [
          severity,
          text.slice(offset, offset + length),
          replacement,
        ]),
        [['hint', JSON.stringify(to), JSON.stringify(key)]],
      );
    });
  }

  it('does not mistake a key in another case or an unrelated key for a typo', () => {
    assertFound(rename(['network'], 'bind_address', 'BIND_ADDRESS'), []);
    assertFound(mutate(['components', 0, 'owner'], 'Ada'), []);
    assertFound(mutate(['components', 0, 'attributes', 'modell'], 1), []);
  });

  const missing: readonly [path: readonly (string | number)[], marked: string][] = [
    [['components', 0, 'model'], '"board"'],
    [['components', 0, 'api'], '"board"'],
    [['components', 1, 'type'], '"left-motor"'],
    [['services', 0, 'type'], '"data"'],
    [['modules', 0, 'name'], '{'],
    [['modules', 0, 'module_id'], '"acme_arms"'],
    [['modules', 1, 'executable_path'], '"sensors"'],
    [['packages', 0, 'package'], '"model"'],
    [['processes', 0, 'name'], '"clock"'],
    [['processes', 0, 'id'], '"chronyd"'],
    [['remotes', 0, 'address'], '"east"'],
    [['jobs', 0, 'schedule'], '"night"'],
    [['jobs', 0, 'resource'], '"night"'],
    [['jobs', 0, 'method'], '"night"'],
    [['triggers', 0, 'event'], '"offline"'],
    [['log', 0, 'level'], '{'],
    [['log', 0, 'pattern'], '{'],
  ];
  for (const [path, marked] of missing) {
    it(`reports a missing ${path.join('.')}`, () => {
      assertFound(mutate(path, undefined), [['missingKey', 'warning', marked]]);
    });
  }

  const invalid: readonly [path: readonly (string | number)[], value: unknown, ...Expected][] = [
    [
      ['components', 0, 'api'],
      'rdk:component:bord',
      'unknownApi',
      'warning',
      '"rdk:component:bord"',
    ],
    [['components', 0, 'api'], 'bad', 'invalidApi', 'warning', '"bad"'],
    [['components', 0, 'api'], 'rdk:service:board', 'invalidApi', 'warning', '"rdk:service:board"'],
    [['components', 0, 'api'], 'rdk:component:', 'invalidApi', 'warning', '"rdk:component:"'],
    [['components', 1, 'type'], 'moter', 'unknownApi', 'warning', '"moter"'],
    [['components', 1, 'type'], 'teleporter', 'unknownApi', 'hint', '"teleporter"'],
    [['services', 0, 'type'], 'data_manger', 'unknownApi', 'warning', '"data_manger"'],
    [
      ['services', 2, 'api'],
      'rdk:component:vision',
      'invalidApi',
      'warning',
      '"rdk:component:vision"',
    ],
    [['components', 1, 'model'], 'gpio:', 'invalidModel', 'warning', '"gpio:"'],
    [['components', 1, 'model'], 'acme:gpio', 'invalidModel', 'warning', '"acme:gpio"'],
    [['components', 1, 'model'], 'my model', 'invalidModel', 'warning', '"my model"'],
    [
      ['components', 1, 'log_configuration', 'level'],
      'verbose',
      'unknownValue',
      'warning',
      '"verbose"',
    ],
    [['log', 0, 'level'], 'warnings', 'unknownValue', 'warning', '"warnings"'],
    [['modules', 0, 'type'], 'registy', 'unknownValue', 'warning', '"registy"'],
    [['modules', 1, 'log_level'], 'inf', 'unknownValue', 'warning', '"inf"'],
    [['packages', 0, 'type'], 'ml-model', 'unknownValue', 'warning', '"ml-model"'],
    [
      ['components', 4, 'frame', 'orientation', 'type'],
      'ov_degree',
      'unknownValue',
      'warning',
      '"ov_degree"',
    ],
    [['components', 4, 'frame', 'geometry', 'type'], 'cube', 'unknownValue', 'warning', '"cube"'],
    [['modules', 0, 'module_id'], 'acme', 'invalidId', 'warning', '"acme"'],
    [['modules', 0, 'module_id'], 'acme/arms', 'invalidId', 'warning', '"acme/arms"'],
    [['packages', 0, 'package'], 'acme:model', 'invalidId', 'warning', '"acme:model"'],
    [['modules', 0, 'version'], 'v1', 'invalidVersion', 'hint', '"v1"'],
    [['modules', 0, 'version'], 'lastest', 'invalidVersion', 'hint', '"lastest"'],
    [['modules', 0, 'version'], '1.2.3.4', 'invalidVersion', 'hint', '"1.2.3.4"'],
    [['jobs', 0, 'schedule'], '61 99 * * *', 'invalidSchedule', 'warning', '"61 99 * * *"'],
    [['jobs', 0, 'schedule'], '* * *', 'invalidSchedule', 'warning', '"* * *"'],
    [['jobs', 0, 'schedule'], '5', 'invalidSchedule', 'warning', '"5"'],
    [['jobs', 0, 'schedule'], '0s', 'invalidSchedule', 'warning', '"0s"'],
    [['jobs', 0, 'schedule'], 'every day', 'invalidSchedule', 'warning', '"every day"'],
    [['jobs', 0, 'schedule'], '0 9 L * *', 'invalidSchedule', 'warning', '"0 9 L * *"'],
    [['jobs', 0, 'schedule'], '0 9 * * 7', 'invalidSchedule', 'warning', '"0 9 * * 7"'],
    [['modules', 2, 'first_run_timeout'], '5 min', 'invalidDuration', 'warning', '"5 min"'],
    [['processes', 0, 'stop_timeout'], '10', 'invalidDuration', 'warning', '"10"'],
    [['remotes', 0, 'reconnect_interval'], '1d', 'invalidDuration', 'warning', '"1d"'],
    [['components', 1, 'depends_on'], ['bord'], 'unknownResource', 'hint', '"bord"'],
    [['components', 1, 'depends_on'], ['west:board'], 'unknownResource', 'hint', '"west:board"'],
    [['services', 2, 'depends_on'], ['camera-9'], 'unknownResource', 'hint', '"camera-9"'],
    [['jobs', 1, 'resource'], 'gage', 'unknownResource', 'hint', '"gage"'],
    [['components', 5, 'frame', 'parent'], 'arn', 'unknownResource', 'hint', '"arn"'],
    [['components', 5, 'name'], '-camera', 'invalidName', 'warning', '"-camera"'],
    [['jobs', 1, 'name'], 'night', 'duplicateName', 'warning', '"night"'],
    [['modules', 1, 'name'], 'acme_arms', 'rejectedName', 'error', '"acme_arms"'],
    [['services', 1, 'name'], 'gauge', 'sharedName', 'hint', '"gauge"'],
  ];
  for (const [path, value, code, severity, marked] of invalid) {
    it(`reports ${code} at ${path.join('.')}: ${JSON.stringify(value)}`, () => {
      const text = mutate(path, value);
      const found = check(text).filter(({ path: at }) => at.join('.').startsWith(path.join('.')));
      assert.deepEqual(
        found.map((one) => [
          one.code,
          one.severity,
          text.slice(one.offset, one.offset + one.length),
        ]),
        [[code, severity, marked]],
      );
    });
  }

  it('finds two components with the same name and API, and names that are too long', () => {
    const text = mutate(['components', 2, 'name'], 'left-motor');
    const found = check(text).map(({ code, path }) => `${code} ${path.join('.')}`);
    assert.ok(found.includes('rejectedName components.2.name'), found.join());
    const long = mutate(['services', 0, 'name'], 'a'.repeat(61));
    assertFound(long, [['invalidName', 'warning', JSON.stringify('a'.repeat(61))]]);
  });

  it('finds components that depend on each other, and frames that are parents of each other', () => {
    const text = mutate(['components', 0, 'depends_on'], ['left-motor']);
    assertFound(text, [['dependencyCycle', 'warning', '"board"']]);
    const [cycle] = check(mutate(['components', 4, 'frame', 'parent'], 'wrist-camera'));
    assert.equal(cycle?.code, 'frameCycle');
    assert.equal(cycle.message, 'The frame parents form a cycle: arm → wrist-camera → arm.');
  });

  it('does not confuse resources with the same name but different APIs', () => {
    const config = {
      components: [{ name: 'vision', type: 'camera', model: 'fake' }],
      services: [{ name: 'vision', type: 'vision', depends_on: ['rdk:component:camera/vision'] }],
    };
    assertFound(format(config), [['sharedName', 'hint', '"vision"']]);
  });

  it('resolves the frames of fragments', () => {
    const frame = { parent: 'world', id: 'base-plate' };
    const shared = { components: [{ name: 'base', type: 'base', model: 'fake', frame }] };
    const text = format({
      fragments: ['base'],
      components: [{ name: 'arm', type: 'arm', model: 'fake', frame: { parent: 'base-plate' } }],
    });
    assert.deepEqual(check(text, { resolved: resolveText(text, () => shared) }), []);
  });

  it('finds a model of a module in a config without modules', () => {
    const text = mutate(['modules'], []);
    const found = check(text).map(({ code, path }) => [code, path.join('.')]);
    assert.deepEqual(found, [
      ['modelWithoutModule', 'components.4.model'],
      ['modelWithoutModule', 'services.2.model'],
    ]);
  });

  it('does not check values that only the machine knows', () => {
    assertFound(mutate(['components', 1, 'depends_on'], ['${BOARD}']), []);
    assertFound(mutate(['components', 1, 'model'], '${MODEL-fake}'), []);
    assertFound(mutate(['jobs', 0, 'schedule'], { $variable: { name: 'schedule' } }), []);
  });

  it('resolves the names in fragments', () => {
    const used = mutate(['fragments'], [{ id: 'grip', prefix: 'left' }]);
    const text = used.replace('"east:camera"', '"left-gripper"');
    const resolved = resolveText(text, (id) => (id === 'grip' ? GRIPPER : undefined));
    assert.deepEqual(check(text, { resolved }), []);
    // Without the fragment, the name could be one of its names.
    assert.deepEqual(check(text), []);
    const unknown = text.replace('"left-gripper"', '"right-gripper"');
    const found = check(unknown, { resolved });
    assert.deepEqual(
      found.map(({ code, replacement }) => [code, replacement]),
      [['unknownResource', '"left-gripper"']],
    );
  });

  it('reports only hints for names that a fragment does not define, because its machines can', () => {
    const found = check(format(GRIPPER), { isFragment: true });
    assert.deepEqual(
      found.map(({ code, severity }) => [code, severity]),
      [['unknownResource', 'hint']],
    );
  });

  it('reports only hints for unknown names in a config with remotes, whose resources can have any name', () => {
    const text = mutate(['jobs', 1, 'resource'], 'gage');
    assertFound(text, [['unknownResource', 'hint', '"gage"']]);
    const alone = text.replace('"remotes"', '"notes2"').replace('"east:camera"', '"base"');
    assertFound(alone, [['unknownResource', 'warning', '"gage"']]);
  });

  it('preserves the qualifier of a reference when it suggests a name', () => {
    const text = mutate(['components', 2, 'depends_on'], ['rdk:component:board/bord']);
    assert.deepEqual(
      check(text).map(({ replacement }) => replacement),
      ['"rdk:component:board/board"'],
    );
  });

  it('accepts defaults, other cases, and empty durations like a machine', () => {
    assertFound(mutate(['services', 0, 'name'], undefined), []);
    assertFound(mutate(['services', 0, 'name'], ''), []);
    assertFound(mutate(['components', 1, 'type'], 'audio_input'), []);
    assertFound(mutate(['log', 0, 'level'], 'Warning'), []);
    assertFound(mutate(['remotes', 0, 'reconnect_interval'], ''), []);
    assertFound(rename(['components', 0], 'name', 'Name'), [
      ['unknownResource', 'hint', '"board"'],
      ['unknownResource', 'hint', '"rdk:component:board/board"'],
    ]);
  });

  it('ignores keys that objects have by default', () => {
    const keys = ['hasOwnProperty', 'toString', 'constructor', 'valueOf'];
    const config = `{${keys.map((key) => `"${key}": [{}]`).join()}, "__proto__": [{}]}`;
    assert.deepEqual(check(config), []);
  });

  it('bounds its work and its messages for huge configs', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `a-name-${index}`);
    const ring = names.map((name, index) => ({
      ...{ name, type: 'arm', model: 'fake' },
      depends_on: [names[(index + 1) % names.length], `a-nome-${index}`],
    }));
    const found = check(format({ components: ring }));
    assert.equal(found.length, 500);
    assert.ok(found.every(({ message }) => message.length < 500));
    const long = 'a'.repeat(200_000);
    const [first] = check(format({ components: [{ ...ring[0], depends_on: [long] }] }));
    assert.equal(first?.replacement, undefined);
  });

  it('works in steps so that callers can do other work and stop early', () => {
    const sensor = (index: number) => ({
      name: `sensor-${index}`,
      depends_on: [`senser-${index}`],
    });
    const components = Array.from({ length: 1_000 }, (_, index) => sensor(index));
    const tree = parseTree(JSON.stringify({ components }));
    assert.ok(tree);
    const options = { resolved: undefined, isFragment: false, l10n: englishLocalizer };
    const work = checkConfigInSteps(tree, options);
    for (let step = 0; step < 5_000; step += 1) assert.equal(work.next().done, false);
    assert.deepEqual(work.return([]), { value: [], done: true });
  });

  it('stops after many diagnostics', () => {
    const components = Array.from({ length: 2_000 }, () => ({ name: 'bad name' }));
    assert.equal(check(format({ components })).length, 500);
  });
});
