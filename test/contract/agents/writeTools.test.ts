import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { CallToolResult, Client, ElicitResult } from '@modelcontextprotocol/client';
import { fromRoot } from '../../../scripts/support/paths';
import type { WriteAccess } from '../../../src/core/agentTools/agentTool';
import { agentTools, listPermittedTools } from '../../../src/core/agentTools/agentTools';
import { type AgentAnswer, runTool } from '../../../src/core/agentTools/runTool';
import { FleetError } from '../../../src/core/api/errors';
import type { Confirmation } from '../../../src/core/confirmations/confirmation';
import { PERMISSIONS_ON, type Permission } from '../../../src/core/model/permissions';
import { type CommandEffect, commandEffects } from '../../../src/manifest/commandEffects';
import type { CommandId } from '../../../src/manifest/commands';
import {
  AGREES,
  agentSession,
  type Answer,
  connectClient,
  runWithPerson,
} from '../../support/agentSession';
import { AgentSite } from '../../support/agentSite';
import type { DemoAgents } from '../../support/demoAgents';

/** Loading the demo fleet takes seconds of processor time, and other tests can run concurrently. */
const LOADING_TIMEOUT_MS = 120_000;

const writeTools = agentTools.filter((tool) => tool.operation === 'write');

/**
 * Command with which people make the same change (absent for the actions of the data panel), and
 * the operation that makes it. A tool without an entry fails the tests.
 */
const CHANGES: Readonly<
  Record<string, { readonly command?: CommandId; readonly operation: string }>
> = {
  fleetwright_propose_part_config: {
    command: 'fleetwright.document.reviewSave',
    operation: 'UpdateRobotPart',
  },
  fleetwright_propose_fragment: {
    command: 'fleetwright.document.reviewSave',
    operation: 'UpdateFragment',
  },
  fleetwright_deploy_module: {
    command: 'fleetwright.module.deploy',
    operation: 'UpdateRobotPart',
  },
  fleetwright_restart_part: {
    command: 'fleetwright.part.markForRestart',
    operation: 'MarkPartForRestart',
  },
  fleetwright_submit_training: {
    command: 'fleetwright.training.submit',
    operation: 'SubmitTrainingJob',
  },
  fleetwright_cancel_training: {
    command: 'fleetwright.training.cancel',
    operation: 'CancelTrainingJob',
  },
  fleetwright_add_tags: {
    operation: 'AddTagsToBinaryDataByIDs',
  },
  fleetwright_remove_tags: {
    operation: 'RemoveTagsFromBinaryDataByIDs',
  },
  fleetwright_add_boxes: {
    operation: 'AddBoundingBoxToImageByID',
  },
  fleetwright_add_to_dataset: {
    operation: 'AddBinaryDataToDatasetByIDs',
  },
  fleetwright_remove_from_dataset: {
    operation: 'RemoveBinaryDataFromDatasetByIDs',
  },
  fleetwright_upload_module: {
    command: 'fleetwright.module.uploadBuild',
    operation: 'UploadModuleFile',
  },
};

/** Other operations of a tool. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  fleetwright_upload_module: ['UpdateModule'],
};

type Input = Readonly<Record<string, unknown>>;

describe('tools for agents that change something', function () {
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

  const connect = (
    answer: Answer | undefined,
    options: Omit<NonNullable<Parameters<typeof connectClient>[1]>, 'answer'> = {},
  ): Promise<Client> =>
    connectClient(agentSession(demo.stores, demo.clock, { workspace: site.workspace }), {
      ...options,
      answer,
    });

  const run = (name: string, input: Input, writes: Partial<WriteAccess>): Promise<AgentAnswer> =>
    runWithPerson(
      agentSession(demo.stores, demo.clock, { workspace: site.workspace }),
      name,
      input,
      writes,
    );

  describe('all of them', () => {
    it('correspond to a command that changes something and deletes nothing', () => {
      assert.deepEqual(writeTools.map(({ name }) => name).sort(), Object.keys(CHANGES).sort());
      for (const [name, { command, operation }] of Object.entries(CHANGES)) {
        const effect: CommandEffect | undefined = command && commandEffects[command];
        assert.notEqual(effect, 'nothing', name);
        assert.doesNotMatch(operation, /^(?:Delete|Create|Rotate)/, name);
      }
      const permissions: readonly Permission[] = PERMISSIONS_ON.organization;
      for (const { permission } of writeTools) assert.ok(permissions.includes(permission));
    });

    it('are offered in VS Code only with their permission', () => {
      const { contributes } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as {
        readonly contributes: {
          readonly languageModelTools: readonly { readonly name: string; readonly when: string }[];
        };
      };
      for (const { name, permission } of writeTools) {
        const { when } =
          contributes.languageModelTools.find((tool) => tool.name === name) ?? assert.fail(name);
        assert.equal(
          when,
          `fleetwright.connected && fleetwright.agentPermissions =~ /;${permission};/`,
        );
      }
    });

    for (const { name } of writeTools) {
      it(`${name} sends nothing unless a person agrees, and then only its operation`, async () => {
        const input = await site.createInput(name);
        demo.writes.length = 0;
        const questions: Confirmation[] = [];
        const declined = await run(name, input, {
          confirm: (confirmation) => {
            questions.push(confirmation);
            return Promise.resolve('declined');
          },
        });
        assert.equal(declined.isError, true);
        assert.match(declined.text, /declined the change, so nothing was changed/);
        assert.equal(questions.length, 1, declined.text);
        assert.deepEqual(demo.writes, []);
        const accepted = await run(name, input, {});
        assert.ok(!accepted.isError, accepted.text);
        assert.deepEqual(
          [...new Set(demo.writes)].sort(),
          [...(ALSO[name] ?? []), CHANGES[name]?.operation].sort(),
        );
      });

      it(`${name} sends nothing without the means to ask, and asks nothing if it isn't allowed`, async () => {
        const input = await site.createInput(name);
        demo.writes.length = 0;
        const tool = writeTools.find((one) => one.name === name) ?? assert.fail();
        const { signal } = new AbortController();
        const readOnly = agentSession(demo.stores, demo.clock, { workspace: site.workspace });
        assert.match((await runTool(tool, input, readOnly, { signal })).text, /can only read/);
        const confirm = (): never => assert.fail('a person was asked');
        const requireAllowed = (): never => {
          throw new FleetError('permission', 'The setting prevents it.');
        };
        const prevented = await run(name, input, { confirm, requireAllowed });
        assert.match(prevented.text, /failed \(permission\)[^]*The setting prevents it/);
        demo.setReadOnly(true);
        const { text } = await run(name, input, { confirm }).finally(() => demo.setReadOnly(false));
        assert.match(text, /failed \(permission\)[^]*read-only/);
        assert.deepEqual(demo.writes, []);
      });
    }

    it('stop if the permission is removed while the confirmation is open', async () => {
      let isAllowed = true;
      const { text } = await run(
        'fleetwright_restart_part',
        { partId: site.part },
        {
          requireAllowed: () => {
            if (!isAllowed) throw new FleetError('permission', 'The setting has changed.');
          },
          confirm: () => {
            isAllowed = false;
            return Promise.resolve('accepted');
          },
        },
      );
      assert.match(text, /The setting has changed/);
      assert.deepEqual(demo.writes, []);
    });

    it('ask again if the effects change while a dialog is open', async () => {
      const questions: string[] = [];
      await run(
        'fleetwright_restart_part',
        { partId: site.part },
        {
          confirm: async ({ question }) => {
            questions.push(question);
            if (questions.length === 1) {
              await demo.stores.parts.rename(site.part, 'renamed-in-dialog');
              demo.writes.length = 0;
              return 'accepted';
            }
            return 'declined';
          },
        },
      );
      assert.equal(questions.length, 2);
      assert.match(questions[1] ?? '', /renamed-in-dialog/);
      assert.deepEqual(demo.writes, []);
    });

    it('need the right on the resource', async () => {
      const { stores } = demo;
      Object.assign(stores.access, {
        getPermissionsFor: () => Promise.resolve(new Set(['read_robot_logs'])),
      });
      try {
        for (const { name } of writeTools) {
          const input = await site.createInput(name);
          demo.writes.length = 0;
          const { text } = await run(name, input, { confirm: () => assert.fail(name) });
          assert.match(text, /failed \(permission\)[^]*needs the role (?:owner|operator)/, name);
          assert.deepEqual(demo.writes, []);
        }
      } finally {
        Reflect.deleteProperty(stores.access, 'getPermissionsFor');
      }
    });

    it('are listed only if the key can use them, and if changes are allowed', async () => {
      const { signal } = new AbortController();
      const readOnly = await listPermittedTools(demo.stores, signal, false);
      assert.ok(readOnly.every(({ operation }) => operation !== 'write'));
      const all = await listPermittedTools(demo.stores, signal, true);
      assert.equal(all.length, agentTools.length);
      const restricted: AccessStub = (scopes) =>
        Promise.resolve(scopes.map(() => new Set<Permission>(['control_robot'])));
      Object.assign(demo.stores.access, { getPermissions: restricted });
      const some = await listPermittedTools(demo.stores, signal, true).finally(() =>
        Reflect.deleteProperty(demo.stores.access, 'getPermissions'),
      );
      assert.deepEqual(
        some.filter(({ operation }) => operation === 'write').map(({ name }) => name),
        ['fleetwright_restart_part'],
      );
    });
  });

  for (const protocol of [undefined, '2026-07-28'] as const) {
    describe(`over the protocol of ${protocol ?? '2025'}`, () => {
      const options = { ...(protocol && { protocol }) };

      it('are neither listed for a client without elicitation nor callable by it', async () => {
        const noForms = await connect(() => assert.fail(), {
          ...options,
          elicitation: { url: {} },
        });
        for (const client of [await connect(undefined, options), noForms]) {
          const { tools } = await client.listTools();
          assert.deepEqual(
            tools.map(({ name }) => name).filter((name) => name in CHANGES),
            [],
          );
          const result = await call(client, 'fleetwright_restart_part', { partId: site.part });
          assert.equal(result.isError, true);
          await client.close();
        }
        assert.deepEqual(demo.writes, []);
      });

      it('are listed with their annotations for a client that can ask', async () => {
        for (const elicitation of [{}, { form: {} }]) {
          const client = await connect(() => assert.fail(), { ...options, elicitation });
          const { tools } = await client.listTools();
          const listed = tools.filter(({ name }) => name in CHANGES);
          assert.equal(listed.length, writeTools.length);
          assert.ok(listed.every(({ annotations }) => annotations?.readOnlyHint === false));
          assert.match(client.getInstructions() ?? '', /only if the user asks for it/);
          await client.close();
        }
      });

      it('ask with names and counts, and change something only after consent', async () => {
        const questions: string[] = [];
        const client = await connect((question) => {
          questions.push(question);
          return AGREES;
        }, options);
        const { structuredContent } = await call(client, 'fleetwright_restart_part', {
          partId: site.part,
        });
        assert.match(JSON.stringify(structuredContent), new RegExp(site.machineName));
        assert.equal(questions.length, 1);
        assert.match(
          questions[0] ?? '',
          new RegExp(`^Restart the part ".+" of "${site.machineName}"`),
        );
        assert.match(questions[0] ?? '', /It belongs to the organization "/);
        assert.deepEqual(demo.writes, ['MarkPartForRestart']);
        await client.close();
      });

      const refusals: Readonly<Record<string, ElicitResult>> = {
        'a declined question': { action: 'decline' },
        'a canceled question': { action: 'cancel' },
        'a form without consent': { action: 'accept', content: { confirm: false } },
        'an empty form': { action: 'accept', content: {} },
        'consent of another type': { action: 'accept', content: { confirm: 'true' } },
        'consent with a refusal': { action: 'decline', content: { confirm: true } },
      };
      for (const [title, refusal] of Object.entries(refusals)) {
        it(`change nothing after ${title}`, async () => {
          const client = await connect(() => refusal, options);
          const input = { partId: site.part };
          const result = await call(client, 'fleetwright_restart_part', input);
          assert.equal(result.isError, true);
          assert.deepEqual(demo.writes, []);
          await client.close();
        });
      }

      it('reject an outdated config, and save nothing', async () => {
        const client = await connect(() => assert.fail('a person was asked'), options);
        const input = { ...(await site.createInput('fleetwright_propose_part_config')) };
        const result = await call(client, 'fleetwright_propose_part_config', {
          ...input,
          version: '1.000000000',
        });
        assert.match(readText(result), /failed \(conflict\)[^]*changed after you read it/);
        const { version: _, ...unversioned } = input;
        const missing = await call(client, 'fleetwright_propose_part_config', unversioned);
        assert.match(readText(missing), /failed \(conflict\)/);
        assert.deepEqual(demo.writes, []);
        await client.close();
      });

      it('save nothing if the config changes while the confirmation is open', async () => {
        const input = await site.createInput('fleetwright_propose_part_config');
        const other = '{"components": []}';
        const client = await connect(async () => {
          await demo.stores.parts.updateConfig(site.part, { name: 'main', configText: other });
          return AGREES;
        }, options);
        const result = await call(client, 'fleetwright_propose_part_config', input);
        assert.match(readText(result), /failed \(conflict\)/);
        const saved = await demo.stores.parts.get(site.part, { fresh: true });
        assert.equal(saved.configText, other);
        assert.deepEqual(demo.writes, ['UpdateRobotPart']);
        await client.close();
      });

      it('show a new confirmation if the effects change while the first is open', async () => {
        const questions: string[] = [];
        const client = await connect(async (question) => {
          questions.push(question);
          if (questions.length === 1) {
            await demo.stores.parts.rename(site.part, `renamed-${protocol ?? '2025'}`);
          }
          return AGREES;
        }, options);
        const result = await call(client, 'fleetwright_restart_part', { partId: site.part });
        assert.ok(!result.isError, readText(result));
        assert.equal(questions.length, 2);
        assert.match(questions[1] ?? '', /renamed-/);
        await client.close();
      });
    });
  }

  it('ignore consent without a question', async () => {
    const client = await connect(() => ({ action: 'decline' }), { protocol: '2026-07-28' });
    for (const requestState of [undefined, 'guessed']) {
      const result = await client.request({
        method: 'tools/call',
        params: {
          name: 'fleetwright_restart_part',
          arguments: { partId: site.part },
          inputResponses: { confirm: AGREES },
          ...(requestState !== undefined && { requestState }),
        },
      });
      assert.equal(result.isError, true);
    }
    assert.deepEqual(demo.writes, []);
    await client.close();
  });

  describe('proposed configs', () => {
    it("keep secrets that the agent can't see", async () => {
      const client = await connect(() => AGREES);
      const secret = 'canary-password-7';
      const configText = JSON.stringify({
        components: [
          {
            name: 'cam',
            api: 'rdk:component:camera',
            model: 'a:b:c',
            attributes: { password: secret },
          },
        ],
      });
      await demo.stores.parts.updateConfig(site.part, { name: 'main', configText });
      const read = readAnswer(
        await call(client, 'fleetwright_get_part_config', { partId: site.part }),
      ) as { readonly config: string; readonly version: string };
      assert.match(read.config, /\[redacted\]/);
      const { version } = read;
      const input = { partId: site.part, version };
      const edited = read.config.replace('"a:b:c"', '"a:b:d"');
      const result = await call(client, 'fleetwright_propose_part_config', {
        ...input,
        config: edited,
      });
      assert.ok(!result.isError, readText(result));
      assert.ok(!JSON.stringify(result).includes(secret));
      const saved = JSON.parse(
        (await demo.stores.parts.get(site.part, { fresh: true })).configText,
      ) as {
        readonly components: readonly { readonly model: string; readonly attributes: object }[];
      };
      assert.deepEqual(saved.components[0]?.attributes, { password: secret });
      assert.equal(saved.components[0].model, 'a:b:d');
      const current = await demo.stores.parts.get(site.part, { fresh: true });
      const copied = await call(client, 'fleetwright_propose_part_config', {
        partId: site.part,
        version: current.lastUpdated,
        config: edited.replace('"cam"', '"cam2"'),
      });
      assert.match(readText(copied), /failed \(invalid\)[^]*A person must enter secrets/);
      await client.close();
    });

    it('are saved with the effects and problems in the question', async () => {
      const questions: string[] = [];
      const client = await connect((question) => {
        questions.push(question);
        return { action: 'decline' };
      });
      const configText =
        '{"components": [{"name": "arm", "api": "rdk:component:arm", "model": "a:b:c"}]}';
      await demo.stores.parts.updateConfig(site.part, { name: 'main', configText });
      const { lastUpdated: version } = await demo.stores.parts.get(site.part, { fresh: true });
      const config = '{"components": [], "modules": 5}';
      await call(client, 'fleetwright_propose_part_config', { partId: site.part, version, config });
      const [question = ''] = questions;
      assert.match(
        question,
        /^Save the config of the part ".+" of the machine ".+" in the organization/,
      );
      assert.match(question, /2 changes:\n- removed components\.arm\n- added modules: .+\n/);
      assert.match(question, /It removes 1 resource: "arm"\./);
      assert.match(question, /Errors and warnings of the new config: [1-9]/);
      const unchanged = await call(client, 'fleetwright_propose_part_config', {
        partId: site.part,
        version,
        config: configText,
      });
      assert.match(readText(unchanged), /same values as the saved one/);
      const invalid = await call(client, 'fleetwright_propose_part_config', {
        partId: site.part,
        version,
        config: '{"components": [}',
      });
      assert.match(readText(invalid), /The config can't be saved/);
      assert.equal(questions.length, 1);
      await client.close();
    });

    it('open in the editor if there is one, without a save', async () => {
      const input = await site.createInput('fleetwright_propose_part_config');
      demo.writes.length = 0;
      let proposed = '';
      const { text, isError } = await run('fleetwright_propose_part_config', input, {
        confirm: () => assert.fail('a person was asked'),
        propose: (document) => {
          proposed = document.text;
          return Promise.resolve('accepted');
        },
      });
      assert.ok(!isError, text);
      assert.equal(proposed, input.config);
      assert.match(text, /Nothing was saved/);
      assert.match(text, /"isSaved":false/);
      assert.deepEqual(demo.writes, []);
    });
  });
});

type AccessStub = (scopes: readonly unknown[]) => Promise<readonly ReadonlySet<Permission>[]>;

function call(client: Client, name: string, input: Input): Promise<CallToolResult> {
  return client.callTool({ name, arguments: { ...input } });
}

function readText({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function readAnswer(result: CallToolResult): unknown {
  assert.ok(!result.isError, readText(result));
  return (result.structuredContent as { readonly untrusted: unknown }).untrusted;
}
