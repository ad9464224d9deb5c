import assert from 'node:assert/strict';
import { addFragment, replaceWithFragment } from '../../../../src/core/documents/fragmentEdits';
import {
  addModelService,
  addVisionService,
  deployPackage,
  packageUses,
  readsPackage,
  runnersIn,
} from '../../../../src/core/modules/deploy/modelService';
import { overrideModule } from '../../../../src/core/modules/deploy/moduleInFragments';
import {
  addResource,
  deployModule,
  withModule,
} from '../../../../src/core/modules/deploy/moduleUse';
import { toPseudoText } from '../../../support/pseudoTexts';

const l10n = { t: toPseudoText };
const versions = ['1.0.0'];
const module = { ids: ['acme:sonar'], version: '1.0.0', versions } as const;
const model = { ids: ['acme/defects'], version: '1.0.0', versions } as const;
const files = { framework: 'tflite', model: 'model.tflite', labels: undefined } as const;
const service = { packageName: 'defects', model: 'acme:ml:run', files };
const resource = { api: 'rdk:component:sensor', model: 'acme:sonar:s3', name: 'sonar' };
const override = { fragmentId: 'f1', name: 'sonar', version: '1.0.0' };
const use = { id: 'f1', prefix: '', variables: '' };

/** Functions that read or edit a list of a config. */
const OPERATIONS: readonly (readonly [
  name: string,
  list: string,
  run: (text: string) => unknown,
])[] = [
  ['addFragment', 'fragments', (text) => addFragment(text, use, l10n)],
  ['replaceWithFragment', 'fragments', (text) => replaceWithFragment(text, [], 'f1', l10n)],
  ['deployModule', 'modules', (text) => deployModule(text, module, l10n)],
  ['withModule', 'modules', (text) => withModule(text, module, text, l10n)],
  ['addResource', 'components', (text) => addResource(text, resource, l10n)],
  ['overrideModule', 'fragment_mods', (text) => overrideModule(text, override, l10n)],
  ['packageUses', 'packages', (text) => packageUses(text, model.ids, l10n)],
  ['deployPackage', 'packages', (text) => deployPackage(text, model, text, l10n)],
  ['runnersIn', 'services', (text) => runnersIn(text, l10n)],
  ['readsPackage', 'services', (text) => readsPackage(text, 'defects', l10n)],
  ['addModelService', 'services', (text) => addModelService(text, service, text, l10n)],
  ['addVisionService', 'services', (text) => addVisionService(text, 'defects-model', text, l10n)],
];

describe("access to a config's lists", () => {
  for (const [name, list, run] of OPERATIONS) {
    it(`${name} rejects other values of "${list}" in the user's language`, () => {
      const message = toPseudoText(
        'The value of "{0}" in the config must be a list. Correct it, and try again.',
      );
      assert.throws(() => run(`{"${list}": {}}`), { kind: 'invalid', message });
    });

    it(`${name} rejects configs that are not objects in the user's language`, () => {
      const message = toPseudoText('The config is not a valid JSON object.');
      for (const text of ['[]', '{']) {
        assert.throws(() => run(text), { kind: 'invalid', message }, text);
      }
    });
  }
});
