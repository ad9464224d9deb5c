import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { TestClock } from '../../../support/testClock';
import { entryAt, ImportedConfigs, variablesIn } from './importedConfigs';
import { openFleet, readFleet } from '../../../support/loadedFleet';

/** Models that are built into the machine's own software and need no module. */
const BUILT_IN_MODEL = /^(rdk:builtin:)?[a-z_-]+$/;

/** Loading the demo fleet takes a second of processor time. */
const LOADING_TIMEOUT_MS = 120_000;

describe('the configs of the demo fleet', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  let configs: ImportedConfigs;

  before(async () => {
    const { service, app } = await openFleet({ clock: new TestClock(), demo: true });
    configs = new ImportedConfigs(await readFleet(app));
    await service.close();
  });

  it('import existing fragments, and set exactly their variables', () => {
    let filled = 0;
    for (const [name, config] of configs.all()) {
      for (const { id, variables = {} } of config.fragments ?? []) {
        const variableNames = new Set(variablesIn(configs.fragment(id) as JsonObject));
        assert.deepEqual(Object.keys(variables).sort(), [...variableNames].sort(), name);
        filled += variableNames.size;
      }
    }
    assert.ok(filled > 50, `${filled} variables`);
  });

  it('import one fragment under a prefix, and nest fragments in fragments', () => {
    const imports = configs.all().flatMap(([, config]) => config.fragments ?? []);
    assert.ok(imports.some(({ prefix }) => prefix === 'label'));
    assert.ok(configs.all().some(([, config]) => configs.closure(config).length > 3));
  });

  it('change keys that the fragment has with $set and $unset', () => {
    const used = new Set<string>();
    for (const [name, config] of configs.all()) {
      for (const { fragment_id: id, mods } of config.fragment_mods ?? []) {
        assert.ok(
          config.fragments?.some((one) => one.id === id),
          name,
        );
        for (const mod of mods) {
          for (const [operator, paths] of Object.entries(mod)) {
            used.add(operator);
            for (const path of Object.keys(paths ?? {})) {
              assert.ok(entryAt(configs.fragment(id), path), `${name}: ${path}`);
            }
          }
        }
      }
    }
    assert.deepEqual([...used].sort(), ['$set', '$unset']);
  });

  it('include a module for every model that is not built in', () => {
    for (const [name, config] of configs.all()) {
      const closure = configs.closure(config);
      const modules = new Set(
        closure.flatMap((one) => one.modules ?? []).map((one) => one.module_id),
      );
      for (const { model } of closure.flatMap((one) => [
        ...(one.components ?? []),
        ...(one.services ?? []),
      ])) {
        const text = typeof model === 'string' ? model : 'builtin';
        if (!BUILT_IN_MODEL.test(text)) {
          const moduleId = text.split(':').slice(0, 2).join(':');
          assert.ok(modules.has(moduleId), `${name}: ${text}`);
        }
      }
    }
  });

  it('name every entry once over all imports without a prefix', () => {
    for (const [name, config] of configs.all()) {
      const imported = (config.fragments ?? []).filter(({ prefix }) => prefix === undefined);
      const closure = [
        config,
        ...imported.flatMap(({ id }) => configs.closure(configs.fragment(id))),
      ];
      for (const section of ['components', 'services', 'modules'] as const) {
        const names = closure
          .flatMap((one) => one[section] ?? [])
          .map((one) => JSON.stringify(one.name));
        assert.equal(names.length, new Set(names).size, `${name}: ${section} ${names.join()}`);
      }
    }
  });

  it('show all features of a config', () => {
    const all = configs.all().map(([, config]) => config as JsonObject);
    for (const section of [
      'components',
      'services',
      'modules',
      'packages',
      'remotes',
      'processes',
      'jobs',
      'triggers',
      'log',
      'network',
    ]) {
      assert.ok(
        all.some((config) => config[section] !== undefined),
        section,
      );
    }
    const text = JSON.stringify(all);
    for (const type of ['arm', 'board', 'camera', 'gantry', 'movement_sensor', 'power_sensor']) {
      assert.match(text, new RegExp(`"(rdk:component:)?${type}"`));
    }
    for (const type of ['data_manager', 'vision', 'motion', 'navigation', 'mlmodel', 'slam']) {
      assert.match(text, new RegExp(`"(rdk:service:)?${type}"`));
    }
  });
});
