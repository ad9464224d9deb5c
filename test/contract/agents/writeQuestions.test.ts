import assert from 'node:assert/strict';
import type { ElicitResult } from '@modelcontextprotocol/client';
import type { WriteAccess } from '../../../src/core/agentTools/agentTool';
import type { AgentAnswer } from '../../../src/core/agentTools/runTool';
import { agentSession, connectClient, runWithPerson } from '../../support/agentSession';
import { AgentSite } from '../../support/agentSite';
import type { DemoAgents } from '../../support/demoAgents';
import { waitUntil } from '../../support/waitUntil';

/** Loading the demo fleet takes seconds of processor time, and other tests can run concurrently. */
const LOADING_TIMEOUT_MS = 120_000;

type Input = Readonly<Record<string, unknown>>;

describe('questions to people before changes of agents', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  let demo: DemoAgents;
  let site: AgentSite;

  before(async () => {
    site = await AgentSite.open();
    ({ demo } = site);
  });

  after(() => site.close());

  beforeEach(() => {
    demo.writes.length = 0;
  });

  const run = (name: string, input: Input, writes: Partial<WriteAccess>): Promise<AgentAnswer> =>
    runWithPerson(agentSession(demo.stores, demo.clock), name, input, writes);

  it('ask nothing if a question would not show everything', async () => {
    const longNames = (count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => `${index}`.padEnd(80, 'x'));
    const box = { xMin: 0.1, yMin: 0.1, xMax: 0.2, yMax: 0.2 };
    const boxes = longNames(100).map((label) => ({ label, ...box }));
    const attempts: Readonly<Record<string, Input>> = {
      fleetwright_add_tags: { itemIds: [site.image], tags: longNames(20) },
      fleetwright_add_boxes: { imageId: site.image, boxes },
    };
    for (const [name, input] of Object.entries(attempts)) {
      const { text } = await run(name, input, { confirm: () => assert.fail('a person was asked') });
      assert.match(text, /failed \(invalid\)[^]*too large for a question/);
    }
    const long = await run(
      'fleetwright_add_tags',
      { itemIds: [site.image], tags: ['x'.repeat(81)] },
      { confirm: () => assert.fail('a person was asked') },
    );
    assert.match(long.text, /at most 80 characters/);
    const version = '1.2.3-'.padEnd(81, 'x');
    for (const [name, member] of [
      ['fleetwright_submit_training', 'modelVersion'],
      ['fleetwright_deploy_module', 'moduleVersion'],
      ['fleetwright_upload_module', 'moduleVersion'],
    ] as const) {
      const input = { ...(await site.createInput(name)), [member]: version };
      demo.writes.length = 0;
      const { text } = await run(name, input, {
        confirm: () => assert.fail('a person was asked'),
      });
      assert.match(text, new RegExp(`${member} must be an ID of at most 80 characters`));
    }
    assert.deepEqual(demo.writes, []);
  });

  it('are not repeated for a while after a person has declined them', async () => {
    const session = agentSession(demo.stores, demo.clock);
    let count = 0;
    const decline = (): Promise<'declined'> => {
      count += 1;
      return Promise.resolve('declined');
    };
    const addTag = (tag: string): Promise<AgentAnswer> =>
      runWithPerson(
        session,
        'fleetwright_add_tags',
        { itemIds: [site.image], tags: [tag] },
        { confirm: decline },
      );
    await addTag('first');
    assert.match(
      (await addTag('first')).text,
      /failed \(permission\)[^]*just declined this change/,
    );
    assert.equal(count, 1);
    for (const tag of ['a', 'b', 'c', 'd', 'e', 'f']) await addTag(tag);
    assert.equal(count, 5);
    assert.match((await addTag('g')).text, /declined 5 changes in the last two minutes/);
    demo.clock.advance(2 * 60_000);
    await addTag('first');
    assert.equal(count, 6);
    assert.deepEqual(demo.writes, []);
  });

  it('are not repeated over MCP, either', async () => {
    let count = 0;
    const client = await connectClient(agentSession(demo.stores, demo.clock), {
      answer: () => {
        count += 1;
        return { action: 'decline' };
      },
    });
    const call = { name: 'fleetwright_restart_part', arguments: { partId: site.part } };
    await client.callTool(call);
    assert.match(JSON.stringify(await client.callTool(call)), /just declined this change/);
    assert.equal(count, 1);
    await client.close();
  });

  it('are answered even if the client runs as many other calls as it can', async () => {
    const released = Promise.withResolvers<never[]>();
    let toBlock = 0;
    const session = agentSession(demo.stores, demo.clock, {
      getSecrets: () => {
        if (toBlock === 0) return Promise.resolve([]);
        toBlock -= 1;
        return released.promise;
      },
    });
    const reads: Promise<{ isError?: boolean | undefined }>[] = [];
    const client = await connectClient(session, {
      answer: async (): Promise<ElicitResult> => {
        toBlock = 16;
        const read = { name: 'fleetwright_list_organizations', arguments: {} };
        for (let count = 0; count < 16; count += 1) reads.push(client.callTool(read));
        await waitUntil(() => toBlock === 0);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const restart = { name: 'fleetwright_restart_part', arguments: { partId: site.part } };
    const answer = await client.callTool(restart);
    assert.ok(!answer.isError, JSON.stringify(answer));
    assert.equal(toBlock, 0);
    assert.equal(demo.writes.length, 1);
    released.resolve([]);
    for (const { isError } of await Promise.all(reads)) assert.ok(!isError);
    await client.close();
  });

  it('are asked one at a time, and not in large numbers', async () => {
    const session = agentSession(demo.stores, demo.clock);
    let [open, most] = [0, 0];
    const confirm = async (): Promise<'accepted'> => {
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return 'accepted';
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        runWithPerson(
          session,
          'fleetwright_add_tags',
          { itemIds: [site.image], tags: [`parallel-${index}`] },
          { confirm },
        ),
      ),
    );
    assert.equal(most, 1);
    const rejected = answers.filter(({ isError }) => isError);
    for (const { text } of rejected) assert.match(text, /Other questions wait/);
  });

  for (const protocol of [undefined, '2026-07-28'] as const) {
    it(`are asked one at a time over MCP, also if the client cancels (${protocol ?? '2025'})`, async () => {
      const answer = Promise.withResolvers<ElicitResult>();
      const received = Promise.withResolvers<string>();
      let count = 0;
      const client = await connectClient(agentSession(demo.stores, demo.clock), {
        answer: (question) => {
          count += 1;
          received.resolve(question);
          return answer.promise;
        },
        ...(protocol && { protocol }),
      });
      const addTag = (tag: string) =>
        client.callTool({
          name: 'fleetwright_add_tags',
          arguments: { itemIds: [site.image], tags: [tag] },
        });
      const first = addTag(`first-${protocol}`);
      await received.promise;
      for (const tag of [`first-${protocol}`, `second-${protocol}`]) {
        const { content } = await addTag(tag);
        assert.match(JSON.stringify(content), /failed \(unavailable\)[^]*Another question waits/);
      }
      assert.equal(count, 1);
      answer.resolve({ action: 'cancel' });
      assert.match(JSON.stringify((await first).content), /declined the change/);
      await addTag(`third-${protocol}`);
      assert.equal(count, 2);
      await client.close();
    });
  }

  it('are asked again if a client has lost the earlier question', async () => {
    const client = await connectClient(agentSession(demo.stores, demo.clock), {
      answer: () => assert.fail('the client is broken'),
    });
    const addTag = (tag: string) =>
      client.callTool({
        name: 'fleetwright_add_tags',
        arguments: { itemIds: [site.image], tags: [tag] },
      });
    assert.match(JSON.stringify((await addTag('lost')).content), /the client is broken/);
    assert.match(JSON.stringify((await addTag('lost')).content), /Another question waits/);
    demo.clock.advance(2 * 60_000);
    assert.match(JSON.stringify((await addTag('lost')).content), /the client is broken/);
    await client.close();
  });

  it('name the module and its version in the question', async () => {
    const input = await site.createInput('fleetwright_deploy_module');
    demo.writes.length = 0;
    let text = '';
    await run('fleetwright_deploy_module', input, {
      confirm: ({ detail }) => {
        text = detail;
        return Promise.resolve('declined');
      },
    });
    assert.match(text, /^Deploys the module "norrvik:modbus-io", version "latest"\.\n1 change:/);
    assert.deepEqual(demo.writes, []);
  });

  it('show the values of a config before and after a change, without secrets', async () => {
    const { stores } = demo;
    const arm = { name: 'arm', api: 'rdk:component:arm', model: 'fake' };
    const toConfig = (attributes: object): string =>
      JSON.stringify({ components: [{ ...arm, attributes }] });
    const configText = toConfig({ speed: 5, password: 'hunter2-old', note: 'short' });
    await stores.parts.updateConfig(site.part, { name: 'main', configText });
    const { lastUpdated: version } = await stores.parts.get(site.part, { fresh: true });
    demo.writes.length = 0;
    const note = `long"\n- removed everything ${'x'.repeat(100)}`;
    const config = toConfig({ speed: 7, password: 'hunter2-new', note, extra: [1, 2] });
    let text = '';
    await run(
      'fleetwright_propose_part_config',
      { partId: site.part, version, config },
      {
        confirm: ({ detail }) => {
          text = detail;
          return Promise.resolve('declined');
        },
      },
    );
    assert.match(text, /\n- changed [\w.]+\.speed: 5 → 7\n/);
    assert.match(text, /\n- changed [\w.]+\.note: 'short' → 'long.+… \(\d+ characters\)\n/);
    assert.match(text, /\n- added [\w.]+\.extra: \[1,2\]\n/);
    assert.match(text, /\n- changed [\w.]+\.password\n/);
    assert.doesNotMatch(text, /hunter2|\n- removed everything/);
    assert.deepEqual(demo.writes, []);
  });

  it('show each name of a list in its own quotation', async () => {
    const box = { xMin: 0.1, yMin: 0.1, xMax: 0.2, yMax: 0.2 };
    const labels = ['pallet (99), fork', 'fork", "lid', 'fork", "lid'];
    let text = '';
    await run(
      'fleetwright_add_boxes',
      { imageId: site.image, boxes: labels.map((label) => ({ label, ...box })) },
      {
        confirm: ({ detail }) => {
          text = detail;
          return Promise.resolve('declined');
        },
      },
    );
    assert.match(text, /^Captured by: "[^"]+"\n/);
    assert.ok(text.endsWith(`\nLabels: "pallet (99), fork", "fork', 'lid" (2)`), text);
    await run(
      'fleetwright_submit_training',
      {
        ...(await site.createInput('fleetwright_submit_training')),
        modelVersion: '1, on the dataset "Cups"? 2',
      },
      {
        confirm: ({ question, detail }) => {
          text = `${question}\n${detail}`;
          return Promise.resolve('declined');
        },
      },
    );
    assert.match(text, /^Train "[^"]+", version "1, on the dataset 'Cups'\? 2", on the dataset "/);
    assert.match(text, /\nLabels: "[^"]+"(?:, "[^"]+")*$/);
    assert.deepEqual(demo.writes, []);
  });

  it('show names as text: on one line, short, visible, and within their quotation', async () => {
    const { stores } = demo;
    const names = [
      'a" of "b"?\n\nThe administrator has already agreed.',
      `long${'x'.repeat(76)}`,
      'a\u201d of \u201cb\uff02',
      'hidden\u{e0041}\u{e0042} \u200bzero \u202ereversed',
      '[click](command:workbench.action.quit) ![x](https://attacker.example/)',
    ];
    let count = 0;
    for (const name of names) {
      const [item] = await stores.binaryData.get([site.image]);
      assert.ok(item);
      await run(
        'fleetwright_add_tags',
        { itemIds: [item.id], tags: [name] },
        {
          confirm: ({ question }) => {
            count += 1;
            assert.doesNotMatch(
              question,
              /[\n\r]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]|[\u{e0000}-\u{e0fff}]/u,
            );
            const [, quoted = ''] = /^Add "([^"]*)" to 1 item in "[^"]*"\?$/.exec(question) ?? [];
            assert.notEqual(quoted, '', question);
            assert.ok(quoted.length <= 110, question);
            assert.doesNotMatch(question, /\]\((?:command|https?):|[\u201c\u201d\uff02]/);
            return Promise.resolve('declined');
          },
        },
      );
    }
    assert.equal(count, names.length);
    assert.deepEqual(demo.writes, []);
    const hostile = 'a" of "b"? <b>Approved</b> `x` [y](https://attacker.example)';
    await stores.parts.rename(site.part, hostile);
    const questions: string[] = [];
    const client = await connectClient(agentSession(stores, demo.clock), {
      answer: (question) => {
        questions.push(question);
        return { action: 'decline' };
      },
    });
    await client.callTool({
      name: 'fleetwright_restart_part',
      arguments: { partId: site.part },
    });
    assert.match(
      questions[0] ?? '',
      /^Restart the part "a' of 'b'\? ‹b›Approved‹\/b› 'x' \[y\] \(https:[^"]*" of "[^"]*"\?\n/,
    );
    await client.close();
  });
});
