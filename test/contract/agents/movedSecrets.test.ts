import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { agentSession, connectClient } from '../../support/agentSession';
import { AgentSite } from '../../support/agentSite';
import type { DemoAgents } from '../../support/demoAgents';

/** Loading the demo fleet takes seconds of processor time, and other tests can run concurrently. */
const LOADING_TIMEOUT_MS = 120_000;

const SECRET = 'hunter2-secret';

describe('secrets of configs that are read without their names', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  let demo: DemoAgents;
  let site: AgentSite;
  let client: Client;
  let fragment: string;

  before(async () => {
    site = await AgentSite.open();
    ({ demo } = site);
    client = await connectClient(agentSession(demo.stores, demo.clock));
    const [organization] = await demo.stores.organizations.list();
    assert.ok(organization);
    const camera = {
      name: 'cam',
      api: 'rdk:component:camera',
      model: 'a:b:c',
      attributes: { password: SECRET, note: { $variable: { name: 'wifi_password' } } },
    };
    const configText = JSON.stringify({ components: [camera] });
    ({ id: fragment } = await demo.stores.fragments.create(organization.id, 'secrets', configText));
  });

  after(() => site.close());

  async function call(name: string, input: object): Promise<string> {
    const result = await client.callTool({ name: `fleetwright_${name}`, arguments: { ...input } });
    const text = JSON.stringify(result);
    assert.ok(result.isError !== true, text);
    return text;
  }

  async function save(config: object): Promise<void> {
    const configText = JSON.stringify(config);
    await demo.stores.parts.updateConfig(site.part, { name: 'main', configText });
  }

  it('are redacted in a resolved config after an override of a fragment renames them', async () => {
    const rename = { 'components.cam.attributes.password': 'components.cam.attributes.label' };
    await save({
      fragments: [{ id: fragment, variables: { wifi_password: 'x' } }],
      fragment_mods: [{ fragment_id: fragment, mods: [{ $rename: rename }] }],
    });
    const text = await call('get_part_config', { partId: site.part, isResolved: true });
    assert.match(text, /label[^a-z]+\[redacted\]/);
    assert.ok(!text.includes(SECRET), text);
  });

  it('are redacted in a resolved config after a rename even if they are short', async () => {
    const rename = { 'components.arm.attributes.password': 'components.arm.attributes.label' };
    const arm = { name: 'arm', api: 'rdk:component:arm', model: 'a:b:c' };
    const [organization] = await demo.stores.organizations.list();
    assert.ok(organization);
    const configText = JSON.stringify({
      components: [{ ...arm, attributes: { password: 'hunt5' } }],
    });
    const { id } = await demo.stores.fragments.create(organization.id, 'short', configText);
    await save({
      fragments: [{ id }],
      fragment_mods: [{ fragment_id: id, mods: [{ $rename: rename }] }],
    });
    const text = await call('get_part_config', { partId: site.part, isResolved: true });
    assert.match(text, /label[^a-z]+\[redacted\]/);
    assert.ok(!text.includes('hunt5'), text);
  });

  it('are redacted in a resolved config after a rename even if they are numbers', async () => {
    const rename = { 'components.arm.attributes.passcode': 'components.arm.attributes.label' };
    const arm = { name: 'arm', api: 'rdk:component:arm', model: 'a:b:c' };
    const [organization] = await demo.stores.organizations.list();
    assert.ok(organization);
    const configText = JSON.stringify({
      components: [{ ...arm, attributes: { passcode: 471_182, speed: 5 } }],
    });
    const { id } = await demo.stores.fragments.create(organization.id, 'numeric', configText);
    await save({
      fragments: [{ id }],
      fragment_mods: [{ fragment_id: id, mods: [{ $rename: rename }] }],
    });
    const text = await call('get_part_config', { partId: site.part, isResolved: true });
    assert.match(text, /label[^a-z]+\[redacted\]/);
    assert.match(text, /speed[^a-z]+5/);
    assert.ok(!text.includes('471182'), text);
  });

  it('are redacted in a resolved config if they are the values of variables', async () => {
    await save({ fragments: [{ id: fragment, variables: { wifi_password: `wifi-${SECRET}` } }] });
    const text = await call('get_part_config', { partId: site.part, isResolved: true });
    assert.match(text, /note[^a-z]+\[redacted\]/);
    assert.ok(!text.includes('wifi-'), text);
  });

  it('are redacted in messages about a config', async () => {
    const rename = { 'components.cam.attributes.password': 'components.cam.name' };
    const config = JSON.stringify({
      components: [
        {
          name: 'arm',
          api: 'rdk:component:arm',
          model: 'a:b:c',
          depends_on: [SECRET.slice(0, -1)],
        },
      ],
      fragments: [{ id: fragment, variables: { wifi_password: 'x' } }],
      fragment_mods: [{ fragment_id: fragment, mods: [{ $rename: rename }] }],
    });
    const text = await call('validate_config', { config });
    assert.match(text, /depends_on/);
    assert.ok(!text.includes(SECRET), text);
  });

  it('are redacted in a comparison of values whose name is beside them', async () => {
    const toConfig = (value: string): object => ({
      env: [{ id: '1', key: 'TOKEN', value }],
      pair: { name: 'TOKEN', value },
      args: ['--password', value],
      other: { name: 'size', value },
    });
    await save(toConfig(SECRET));
    await save(toConfig('changed'));
    const history = await client.callTool({
      name: 'fleetwright_get_part_history',
      arguments: { partId: site.part },
    });
    const { untrusted } = history.structuredContent as {
      readonly untrusted: { readonly versions: readonly { readonly version: string }[] };
    };
    const before = untrusted.versions[1]?.version ?? assert.fail();
    await save({ ...toConfig('changed'), other: 1 });
    const text = await call('compare_part_configs', { partId: site.part, before });
    // Only the value with an ordinary name is shown.
    assert.equal(text.split(SECRET).length - 1, 2, text);
    assert.match(text, /pair[^{}]+value[^{}]+\[redacted\]/);
  });
});
