import assert from 'node:assert/strict';
import { englishLocalizer } from '../../../../../src/base/localizer';
import { checkPublishedModels } from '../../../../../src/core/modules/manifest/checkPublished';
import { formatManifestDiagnostic } from '../../../../../src/core/modules/manifest/formatManifestDiagnostic';
import { parseManifest } from '../../../../../src/core/modules/manifest/parseManifest';

const API = 'rdk:component:sensor';
const STATION = { api: API, model: 'acme:weather:station' };
const BUOY = { api: API, model: 'acme:weather:buoy' };

describe('checkPublishedModels', () => {
  const check = (models: readonly object[], published: readonly string[], machinesUsing = 2) => {
    const { manifest } = parseManifest(JSON.stringify({ module_id: 'acme:weather', models }));
    assert.ok(manifest);
    const known = published.map((model) => ({ ...STATION, model, description: '', markdown: '' }));
    return checkPublishedModels(manifest, { models: known, machinesUsing });
  };

  it('reports a model that only the registry lists', () => {
    const [found, ...others] = check([STATION], [STATION.model, BUOY.model]);
    assert.deepEqual(others, []);
    assert.deepEqual(found, {
      code: 'modelRemoved',
      severity: 'warning',
      args: [BUOY.model, '2'],
      path: ['models'],
      fixes: [],
    });
    assert.equal(
      formatManifestDiagnostic(found, englishLocalizer),
      "The registry lists the model acme:weather:buoy, but this manifest doesn't. 2 machines use the module. Their resources with this model don't start with the next version.",
    );
  });

  it('reports a renamed model at its new name, with the previous name as a fix', () => {
    const renamed = { ...BUOY, model: 'acme:weather:buoys' };
    const [found] = check([STATION, renamed], [STATION.model, BUOY.model], 1);
    const path = ['models', 1, 'model'];
    assert.deepEqual(found, {
      code: 'modelRenamed',
      severity: 'warning',
      args: [BUOY.model, '1'],
      path,
      fixes: [{ kind: 'setValue', path, value: BUOY.model }],
    });
  });

  it('accepts new models, and marks the module ID of a manifest without models', () => {
    assert.deepEqual(check([STATION, BUOY], [STATION.model]), []);
    assert.deepEqual(
      check([], [STATION.model]).map(({ path }) => path),
      [[]],
    );
  });
});
