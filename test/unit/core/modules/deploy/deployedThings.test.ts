import assert from 'node:assert/strict';
import { findDeployed } from '../../../../../src/core/modules/deploy/deployedResources';
import { deployModule } from '../../../../../src/core/modules/deploy/moduleUse';
import { overrideModule } from '../../../../../src/core/modules/deploy/moduleInFragments';

const versions = ['1.0.0', '1.0.1'];
const deploy = (text: string): string =>
  deployModule(text, { ids: ['acme:sonar'], version: '1.0.1', versions });
/** Returns true if a config still contains everything that one deployment added. */
const isDeployed = (config: string, one: (text: string) => string): boolean =>
  findDeployed(config, [{ itemId: 'item', deploy: one }]).length > 0;
const before = '{"modules":[{"module_id":"acme:sonar","version":"1.0.0"}]}';

describe('the check whether a config contains a deployment', () => {
  it('succeeds for the proposed config, and with other changes', () => {
    const proposed = deploy(before);
    assert.equal(isDeployed(proposed, deploy), true);
    assert.equal(isDeployed(proposed.replace('{"modules"', '{"a":1,"modules"'), deploy), true);
    assert.equal(isDeployed(proposed.replace('"1.0.1"', '"latest"'), deploy), true);
  });

  it('fails after an undo, or with another version', () => {
    assert.equal(isDeployed(before, deploy), false);
    assert.equal(isDeployed('{"modules":[]}', deploy), false);
    assert.equal(isDeployed(deploy(before).replace('1.0.1', '0.9.0'), deploy), false);
  });

  it('fails for text that is not a config', () => {
    for (const text of ['', '{', '{"modules":{}}']) assert.equal(isDeployed(text, deploy), false);
  });

  it('applies to overrides too', () => {
    const override = { fragmentId: 'f', name: 'sonar', version: '1.0.1' };
    const text = '{"fragments":["f"]}';
    const overriding = (from: string): string => overrideModule(from, override);
    assert.equal(isDeployed(overriding(text), overriding), true);
    assert.equal(isDeployed(text, overriding), false);
  });

  it('names all deployments before one save, and only the last for the same item', () => {
    const putting = (itemId: string, version: string) => ({
      itemId,
      version,
      deploy: (text: string) => deployModule(text, { ids: [itemId], version, versions }),
    });
    const puts = [putting('acme:sonar', '1.0.0'), putting('acme:arm', '1.0.1')];
    const again = putting('acme:sonar', '1.0.1');
    const config = [...puts, again].reduce((text, { deploy: put }) => put(text), '{}');
    assert.deepEqual(findDeployed(config, [...puts, again]), [again, puts[1]]);
    assert.deepEqual(findDeployed('{}', puts), []);
  });
});
