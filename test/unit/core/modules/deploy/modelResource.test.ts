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
  it('adds a component or a service to its list', () => {
    const component = addResource('{"components":[]}', { api, model, name: 'sensor-1' });
    assert.deepEqual(JSON.parse(component), {
      components: [{ name: 'sensor-1', api, model, attributes: {} }],
    });
    const service = addResource('{}', { api: 'rdk:service:vision', model, name: 'vision-1' });
    assert.deepEqual(Object.keys(JSON.parse(service) as object), ['services']);
  });

  it('rejects another kind of API, and a config with another value in that position', () => {
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

  it('proposedName returns a name that no component and no service has', () => {
    assert.equal(proposedName(text, api), 'sensor-3');
    assert.equal(proposedName('', 'rdk:component:power_sensor'), 'power-sensor-1');
  });

  it('usesModel finds a model that is in use', () => {
    const [description, markdown] = [undefined, undefined];
    assert.equal(usesModel(text, { api, model, description, markdown }), true);
    assert.equal(usesModel('{}', { api, model, description, markdown }), false);
  });

  it('findApiSection returns the section for the second part of an API', () => {
    assert.equal(findApiSection('acme:component:gizmo'), 'components');
    assert.equal(findApiSection('acme'), undefined);
  });
});
