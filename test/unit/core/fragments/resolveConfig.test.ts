import assert from 'node:assert/strict';
import type { ConfigValue } from '../../../../src/core/fragments/configValue';
import { resolveConfig, type ResolvedConfig } from '../../../../src/core/fragments/resolveConfig';

type Library = Readonly<Record<string, ConfigValue>>;

function resolve(config: ConfigValue, library: Library = {}): ResolvedConfig {
  return resolveConfig(config, (id, version) => library[version ? `${id}@${version}` : id]);
}

/** Formats problems as `kind at path (fragments): subject`. */
function formatProblems({ problems }: ResolvedConfig): string[] {
  return problems.map(({ kind, path, fragments, subject }) =>
    [kind, path.join('.'), fragments.join('>'), subject].join(' | '),
  );
}

function clean(resolved: ResolvedConfig): unknown {
  assert.deepEqual(formatProblems(resolved), []);
  return resolved.config;
}

const camera = (name: string, attributes: Record<string, ConfigValue> = {}): ConfigValue => ({
  name,
  api: 'rdk:component:camera',
  model: 'webcam',
  attributes,
});

const variable = (name: string, ...defaults: ConfigValue[]): ConfigValue => ({
  $variable: { name, ...(defaults.length > 0 && { default_value: defaults[0] ?? null }) },
});

describe('resolveConfig', () => {
  it("inserts fragments after the config's own entries", () => {
    const resolved = resolve(
      { components: [camera('own')], debug: true, fragments: ['a', { id: 'b' }] },
      {
        a: { components: [camera('a')], modules: [{ name: 'm' }] },
        b: { services: [{ name: 's' }] },
      },
    );
    assert.deepEqual(clean(resolved), {
      components: [camera('own'), camera('a')],
      debug: true,
      modules: [{ name: 'm' }],
      services: [{ name: 's' }],
    });
    assert.deepEqual(Object.keys(resolved.config), ['components', 'debug', 'modules', 'services']);
    assert.deepEqual(resolved.origins, [
      { path: ['components', 1], fragments: ['a'] },
      { path: ['modules', 0], fragments: ['a'] },
      { path: ['services', 0], fragments: ['b'] },
    ]);
  });

  it('omits disabled fragments, and uses a pinned version', () => {
    const library = { a: { debug: true }, 'a@stable': { debug: false } };
    const fragments = [
      { id: 'gone', disabled: true },
      { id: 'a', version: 'stable' },
    ];
    assert.deepEqual(clean(resolve({ fragments }, library)), { debug: false });
  });

  it('inserts nested fragments, five levels deep', () => {
    const library = {
      a: { components: [camera('a')], fragments: ['b'] },
      b: { components: [camera('b')], fragments: [{ id: 'c' }] },
      c: { fragments: ['d'] },
      d: { fragments: ['e'] },
      e: { components: [camera('e')] },
    };
    const resolved = resolve({ fragments: ['a'] }, library);
    assert.deepEqual(clean(resolved), { components: [camera('a'), camera('b'), camera('e')] });
    assert.deepEqual(resolved.origins.at(-1)?.fragments, ['a', 'b', 'c', 'd', 'e']);
    const deeper = resolve({ fragments: ['a'] }, { ...library, e: { fragments: ['f'] }, f: {} });
    assert.deepEqual(formatProblems(deeper), ['tooDeep | fragments.0 | a>b>c>d>e | f']);
  });

  it('reports cycles and unreadable fragments, and preserves their imports', () => {
    const library = { a: { components: [camera('a')], fragments: ['b'] }, b: { fragments: ['a'] } };
    const resolved = resolve({ fragments: ['gone', 'a', 7, {}] }, library);
    assert.deepEqual(formatProblems(resolved), [
      'malformedImport | fragments.2 |  | ',
      'malformedImport | fragments.3 |  | ',
      'unknownFragment | fragments.0 |  | gone',
      'cycle | fragments.1 | a>b | a',
    ]);
    assert.deepEqual(resolved.config, { fragments: ['gone', 'a'], components: [camera('a')] });
  });

  describe('variables', () => {
    it('are replaced by the value in the import, or by the default', () => {
      const a = {
        components: [
          camera('c', {
            host: variable('host'),
            port: variable('port', 80),
            list: [variable('host', 'x')],
            none: variable('none', 'default'),
          }),
        ],
      };
      const fragments = [{ id: 'a', variables: { host: { ip: '10.0.0.1' }, none: null } }];
      assert.deepEqual(clean(resolve({ fragments }, { a })), {
        components: [
          camera('c', {
            host: { ip: '10.0.0.1' },
            port: 80,
            list: [{ ip: '10.0.0.1' }],
            none: null,
          }),
        ],
      });
    });

    it('are passed to nested fragments only by their imports', () => {
      const library = {
        outer: { fragments: [{ id: 'inner', variables: { speed: variable('pace') } }] },
        inner: { debug: variable('speed'), network: variable('pace', 'own default') },
      };
      const fragments = [{ id: 'outer', variables: { pace: 3 } }];
      assert.deepEqual(clean(resolve({ fragments }, library)), {
        debug: 3,
        network: 'own default',
      });
    });

    it('are reported if they have no value, are unknown, or are outside of a fragment', () => {
      const config = {
        log: [variable('own')],
        fragments: [{ id: 'a', variables: { unknown: 1 } }],
      };
      const resolved = resolve(config, { a: { debug: variable('wanted') } });
      assert.deepEqual(formatProblems(resolved), [
        'variableOutsideFragment | log.0 |  | own',
        'missingVariable | fragments.0 | a | wanted',
        'unknownVariable | fragments.0.variables.unknown |  | unknown',
      ]);
      assert.deepEqual(resolved.config, { log: [variable('own')], debug: variable('wanted') });
    });
  });

  describe('a prefix', () => {
    const arm = {
      components: [
        { name: 'arm', attributes: { board: 'local', mode: 'fast', uses: ['local', 'other'] } },
        { name: 'local', frame: { parent: 'arm', orientation: { type: 'arm' } } },
        { name: 'eye', depends_on: ['local', 'rdk:component:arm/arm', 'base:lidar', 'elsewhere'] },
      ],
      remotes: [{ name: 'base', address: 'base.local' }],
      jobs: [{ name: 'park', resource: 'arm', method: 'stop' }],
      processes: [{ id: 'p', name: 'python' }],
      modules: [{ name: 'arm', module_id: 'acme:arm' }],
    };

    it('is added to names and references, but not to modules and processes', () => {
      assert.deepEqual(clean(resolve({ fragments: [{ id: 'arm', prefix: 'left' }] }, { arm })), {
        components: [
          {
            name: 'left-arm',
            attributes: { board: 'left-local', mode: 'fast', uses: ['left-local', 'other'] },
          },
          { name: 'left-local', frame: { parent: 'left-arm', orientation: { type: 'arm' } } },
          {
            name: 'left-eye',
            depends_on: [
              'left-local',
              'rdk:component:arm/left-arm',
              'left-base:lidar',
              'elsewhere',
            ],
          },
        ],
        remotes: [{ name: 'left-base', address: 'base.local' }],
        jobs: [{ name: 'left-park', resource: 'left-arm', method: 'stop' }],
        processes: [{ id: 'left-p', name: 'python' }],
        modules: [{ name: 'arm', module_id: 'acme:arm' }],
      });
    });

    it('makes one fragment usable twice, and adds up if nested', () => {
      const library = {
        arm: { components: [camera('eye')], modules: [{ name: 'm' }] },
        pair: {
          fragments: [
            { id: 'arm', prefix: 'l' },
            { id: 'arm', prefix: 'r' },
          ],
        },
      };
      assert.deepEqual(clean(resolve({ fragments: [{ id: 'pair', prefix: 'front' }] }, library)), {
        components: [camera('front-l-eye'), camera('front-r-eye')],
        modules: [{ name: 'm' }],
      });
      const twice = resolve({ fragments: ['arm', { id: 'arm' }] }, library);
      assert.deepEqual(formatProblems(twice), ['duplicateImport | fragments.1 |  | arm']);
    });
  });

  describe('fragment_mods', () => {
    const drive = {
      components: [
        { name: 'motor', attributes: { rpm: 1, pins: { a: 1, b: 2 } } },
        { name: 'dotted.name', attributes: {} },
      ],
      packages: [{ package: 'x', version: '1' }],
      network: { bind_address: ':8080' },
    };
    const modified = (mods: ConfigValue, fragments: ConfigValue = ['drive']): ResolvedConfig =>
      resolve({ fragments, fragment_mods: [{ fragment_id: 'drive', mods }] }, { drive });

    it('set, unset, and rename by name, index, and original name', () => {
      const resolved = modified([
        {
          $set: {
            'components.motor.name': 'wheel',
            'components.motor.attributes.rpm': 1818,
            'components.motor.attributes.new.deep': [true],
            'components.dotted.name.attributes.x': 1,
            'packages.0.version': 'latest',
            'network.bind_address': ':9090',
            'agent.enabled': true,
          },
        },
        { $unset: { 'components.motor.attributes.pins.b': '' } },
        {
          $rename: { 'components.motor.attributes.pins.a': 'components.motor.attributes.pins.pwm' },
        },
      ]);
      assert.deepEqual(clean(resolved), {
        components: [
          { name: 'wheel', attributes: { rpm: 1818, pins: { pwm: 1 }, new: { deep: [true] } } },
          { name: 'dotted.name', attributes: { x: 1 } },
        ],
        packages: [{ package: 'x', version: 'latest' }],
        network: { bind_address: ':9090' },
        agent: { enabled: true },
      });
    });

    it('apply completely or not at all', () => {
      const resolved = modified([
        { $set: { 'components.motor.attributes.rpm': 2, 'components.gone.attributes.rpm': 2 } },
        { $unset: { services: 0, 'modules.m.version': 0 } },
      ]);
      assert.deepEqual(formatProblems(resolved), [
        'modTargetMissing | fragment_mods.0.mods.0.$set.components.gone.attributes.rpm |  | components.gone.attributes.rpm',
        'modTargetMissing | fragment_mods.0.mods.1.$unset.services |  | services',
        'modTargetMissing | fragment_mods.0.mods.1.$unset.modules.m.version |  | modules.m.version',
      ]);
      assert.deepEqual(resolved.config, drive);
    });

    it('apply to one use of a fragment by its prefix, and to every use without', () => {
      const fragments = [
        { id: 'drive', prefix: 'l' },
        { id: 'drive', prefix: 'r' },
      ];
      const resolved = modified(
        [
          { $set: { 'components.l-motor.attributes.rpm': 5 } },
          { $unset: { 'components.motor.attributes.pins': 0, 'components.r-dotted.name': 0 } },
        ],
        fragments,
      );
      assert.deepEqual((resolved.config as Record<string, unknown>).components, [
        { name: 'l-motor', attributes: { rpm: 5 } },
        { name: 'l-dotted.name', attributes: {} },
        { name: 'r-motor', attributes: { rpm: 1 } },
      ]);
    });

    it('apply to nested fragments, from fragments as well as from the config', () => {
      const library = {
        drive,
        rover: {
          fragments: ['drive'],
          fragment_mods: [
            { fragment_id: 'drive', mods: [{ $set: { 'components.motor.attributes.rpm': 7 } }] },
          ],
        },
      };
      const config = {
        fragments: ['rover'],
        fragment_mods: [
          { fragment_id: 'rover', mods: [{ $unset: { 'components.motor.attributes.pins': 0 } }] },
        ],
      };
      const { components } = clean(resolve(config, library)) as { components: unknown[] };
      assert.deepEqual(components[0], { name: 'motor', attributes: { rpm: 7 } });
    });

    it('are reported if they are invalid, or change a fragment that is not used', () => {
      const config = {
        fragments: ['drive', { id: 'off', disabled: true }],
        fragment_mods: [
          { fragment_id: 'drive', mods: [{ $inc: { 'components.motor.attributes.rpm': 1 } }, 3] },
          { fragment_id: 'gone', mods: [] },
          { fragment_id: 'off', mods: [] },
          'nothing',
        ],
      };
      const resolved = resolve(config, { drive });
      assert.deepEqual(formatProblems(resolved), [
        'unsupportedOperator | fragment_mods.0.mods.0.$inc |  | $inc',
        'malformedMod | fragment_mods.0.mods.1 |  | ',
        'malformedMod | fragment_mods.3 |  | ',
        'modWithoutImport | fragment_mods.1.fragment_id |  | gone',
      ]);
      assert.deepEqual(resolved.config, drive);
    });
  });

  describe('duplicates', () => {
    it('are included once if they are equal, and reported if a name has two meanings', () => {
      const library = {
        a: { modules: [{ name: 'm', version: '1' }], components: [camera('c'), camera('own')] },
        b: { modules: [{ version: '1', name: 'm' }], components: [camera('c', { other: true })] },
      };
      const resolved = resolve(
        { components: [camera('own', { x: 1 })], fragments: ['a', 'b'] },
        library,
      );
      assert.deepEqual(formatProblems(resolved), [
        'duplicateName | fragments.1 |  | components.c',
        'duplicateName | components.0 |  | components.own',
      ]);
      assert.deepEqual(resolved.config, {
        components: [camera('own', { x: 1 }), camera('c')],
        modules: [{ name: 'm', version: '1' }],
      });
    });

    it("are merged in objects, with the config's own values first", () => {
      const library = {
        a: { network: { x: 1, y: { p: 1 } } },
        b: { network: { x: 2, y: { q: 2 } } },
      };
      const resolved = resolve({ network: { z: 0, y: { p: 9 } }, fragments: ['a', 'b'] }, library);
      assert.deepEqual(formatProblems(resolved), ['conflictingValue | fragments.1 |  | network.x']);
      assert.deepEqual(resolved.config, { network: { z: 0, y: { p: 9, q: 2 }, x: 1 } });
    });

    it("of log levels end with the config's own, which win", () => {
      const own = { pattern: 'rdk.*', level: 'debug' };
      const inherited = { pattern: 'rdk.net', level: 'warn' };
      const resolved = resolve({ log: [own], fragments: ['a'] }, { a: { log: [inherited] } });
      assert.deepEqual(clean(resolved), { log: [inherited, own] });
    });
  });
});
