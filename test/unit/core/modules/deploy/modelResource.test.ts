import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import {
  addResource,
  findApiSection,
  proposedName,
  usesModel,
} from '../../../../../src/core/modules/deploy/moduleUse';

const api = 'rdk:component:sensor';
const model = 'acme:sonar:deep';

describe('addResource', () => {
  it('adds a component or a service to the list that is for it', () => {
    const component = addResource('{"components":[]}', { api, model, name: 'sensor-1' });
    assert.deepEqual(JSON.parse(component), {
      components: [{ name: 'sensor-1', api, model, attributes: {} }],
    });
    const service = addResource('{}', { api: 'rdk:service:vision', model, name: 'vision-1' });
    assert.deepEqual(Object.keys(JSON.parse(service) as object), ['services']);
  });

  it('refuses an API of neither, and a config with something else in that place', () => {
    for (const [text, of] of [
      ['{}', 'rdk:thing:sensor'],
      ['{"components":{}}', api],
      ['[]', api],
    ] as const) {
      assert.throws(
        () => addResource(text, { api: of, model, name: 'a' }),
        (error) => error instanceof FleetError && error.kind === 'invalid',
      );
    }
  });
});

describe('names and models of resources', () => {
  const text = `{"components":[{"name":"sensor-1","model":"${model}"}],"services":[{"name":"sensor-2"}]}`;

  it('proposes a name that no component and no service has', () => {
    assert.equal(proposedName(text, api), 'sensor-3');
    assert.equal(proposedName('', 'rdk:component:power_sensor'), 'power-sensor-1');
  });

  it('tells whether a model is in use', () => {
    const [description, markdown] = [undefined, undefined];
    assert.equal(usesModel(text, { api, model, description, markdown }), true);
    assert.equal(usesModel('{}', { api, model, description, markdown }), false);
  });

  it('knows the section of an API by its second part', () => {
    assert.equal(findApiSection('acme:component:gizmo'), 'components');
    assert.equal(findApiSection('acme'), undefined);
  });
});
