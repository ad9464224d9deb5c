import assert from 'node:assert/strict';
import { parseTree } from 'jsonc-parser';
import {
  type ConfigValue,
  isObject,
  printConfig,
  toConfigValue,
} from '../../../../src/core/fragments/configValue';
import { resolveConfig } from '../../../../src/core/fragments/resolveConfig';

/** Time limit that is far longer than needed but far shorter than a hang. */
const LIMIT_MS = 8_000;

function parse(text: string): ConfigValue {
  const node = parseTree(text);
  assert.ok(node);
  return toConfigValue(node, text);
}

function findProblemKinds(
  config: unknown,
  library: Readonly<Record<string, ConfigValue>> = {},
): string[] {
  const { problems } = resolveConfig(config, (id) =>
    Object.hasOwn(library, id) ? library[id] : undefined,
  );
  return [...new Set(problems.map(({ kind }) => kind))];
}

/** Returns a random number generator with a fixed seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns a random JSON value that is likely to contain keywords of fragments. */
function randomValue(random: (below: number) => number, depth = 0): unknown {
  const words = [
    ...['fragments', 'fragment_mods', 'fragment_id', 'mods', '$set', '$unset', '$rename'],
    ...['$variable', 'name', 'id', 'prefix', 'variables', 'components', 'a', 'b', '__proto__'],
    ...['components.a.name', 'components.0', 'constructor', 'depends_on', '', '0'],
  ];
  const word = (): string => words[random(words.length)] ?? '';
  const size = depth > 6 ? 0 : random(5);
  switch (random(depth === 0 ? 1 : 6)) {
    case 0:
    case 1:
      return Object.fromEntries(
        Array.from({ length: size + 1 }, () => [word(), randomValue(random, depth + 1)]),
      );
    case 2:
      return Array.from({ length: size }, () => randomValue(random, depth + 1));
    case 3:
      return random(100);
    default:
      return word();
  }
}

describe('resolving hostile configs', function () {
  this.timeout(LIMIT_MS);

  it('accepts any value as a config and never throws', () => {
    for (const config of [undefined, null, 3, 'x', [], [1], () => 1]) {
      assert.deepEqual(findProblemKinds(config), ['notAnObject']);
    }
    assert.deepEqual(findProblemKinds({ fragments: 3, fragment_mods: 'x' }), [
      'malformedMod',
      'malformedImport',
    ]);
  });

  it('preserves its invariants for any config and any fragments', () => {
    for (let seed = 1; seed <= 1_000; seed += 1) {
      const random = createRandom(seed);
      const library = new Map(['a', 'b', 'name'].map((id) => [id, randomValue(random)]));
      const config = randomValue(random);
      const before = JSON.stringify([config, ...library.values()]);
      const run = () => resolveConfig(config, (id) => library.get(id) as ConfigValue | undefined);
      const resolved = run();
      const message = `seed ${seed}: ${before}`;
      assert.ok(isObject(resolved.config), message);
      assert.deepEqual(run(), resolved, `${message} twice`);
      assert.equal(JSON.stringify([config, ...library.values()]), before, `${message} changed`);
      assert.equal(
        JSON.stringify(parse(printConfig(resolved.config))),
        JSON.stringify(resolved.config),
      );
      // A resolved config doesn't change when it is resolved again.
      const { config: again } = resolveConfig(resolved.config, () => undefined);
      const getKeys = (value: object): string[] =>
        Object.keys(value).filter((key) => key !== 'fragments');
      assert.deepEqual(getKeys(again), getKeys(resolved.config), message);
      for (const { path, fragments: chain } of resolved.origins) {
        assert.ok(Object.hasOwn(resolved.config, String(path[0])) && chain.length > 0, message);
      }
    }
  });

  it('ignores inherited members of objects', () => {
    const config = parse(`{
      "__proto__": {"polluted": 1},
      "fragments": [{"id": "a", "variables": {"__proto__": {"x": 1}}}, "__proto__", "constructor"],
      "fragment_mods": [{"fragment_id": "a", "mods": [{"$set": {
        "__proto__.polluted": 1, "constructor.prototype.polluted": 1,
        "network.__proto__.polluted": 1}}]}]}`);
    const { config: resolved } = resolveConfig(config, (id) => (id === 'a' ? {} : undefined));
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(Object.getPrototypeOf(resolved), Object.prototype);
    assert.match(printConfig(resolved), /"__proto__": \{\n {4}"polluted": 1/);
  });

  it('truncates values that are nested too deeply', () => {
    let deep: ConfigValue = 1;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    assert.deepEqual(findProblemKinds({ deep }), ['valueTooDeep']);
    assert.deepEqual(findProblemKinds({ fragments: ['a'] }, { a: { deep } }), ['valueTooDeep']);
    const target = `network${'.x'.repeat(100_000)}`;
    const fragment_mods = [{ fragment_id: 'a', mods: [{ $set: { [target]: 1 } }] }];
    assert.deepEqual(findProblemKinds({ fragments: ['a'], fragment_mods }, { a: {} }), [
      'modTargetMissing',
    ]);
  });

  it('inserts 1,000 fragments, and stops if their number explodes', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `f${index}`);
    const library = Object.fromEntries(ids.map((id) => [id, { components: [{ name: id }] }]));
    const { config, problems } = resolveConfig({ fragments: ids }, (id) => library[id]);
    assert.deepEqual(problems, []);
    assert.equal((config.components as unknown[]).length, 1_000);
    const uses = ids.map((prefix) => ({ id: 'b', prefix }));
    const bomb = {
      a: { fragments: uses },
      b: { fragments: uses.map((use) => ({ ...use, id: 'c' })), components: [{ name: 'x' }] },
      c: { fragments: uses.map((use) => ({ ...use, id: 'd' })) },
      d: { components: ids.map((name) => ({ name })) },
    };
    assert.deepEqual(findProblemKinds({ fragments: ['a'] }, bomb), ['tooLarge']);
  });

  it('preserves digits beyond a double', () => {
    const text = '{\n  "big": 12345678901234567890,\n  "exact": 1.50,\n  "list": []\n}';
    assert.equal(printConfig(resolveConfig(parse(text), () => undefined).config), text);
  });
});
