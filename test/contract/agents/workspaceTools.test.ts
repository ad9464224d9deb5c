import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Decision, ToolSession, WriteAccess } from '../../../src/core/agentTools/agentTool';
import { findTool } from '../../../src/core/agentTools/agentTools';
import { type AgentAnswer, runTool } from '../../../src/core/agentTools/runTool';
import { registryItemId } from '../../../src/core/model/ids';
import { AGREES, agentSession, connectClient, runWithPerson } from '../../support/agentSession';
import { AgentSite } from '../../support/agentSite';
import type { DemoAgents } from '../../support/demoAgents';
import { writeModule } from '../../support/workspaceModule';

/** Loading the demo fleet takes seconds of processor time, and other tests can run concurrently. */
const LOADING_TIMEOUT_MS = 120_000;

const UPLOAD = 'fleetwright_upload_module';
const EXPORT = 'fleetwright_export_query';
const MODULE = 'norrvik:modbus-io';

type Input = Readonly<Record<string, unknown>>;

describe('tools for agents that use the workspace', function () {
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

  const openSession = () => agentSession(demo.stores, demo.clock, { workspace: site.workspace });

  const upload = (input: Input, writes: Partial<WriteAccess> = {}): Promise<AgentAnswer> =>
    runWithPerson(openSession(), UPLOAD, input, writes);

  it('are not offered without a workspace, and fail', async () => {
    const session = agentSession(demo.stores, demo.clock);
    const client = await connectClient(session, { answer: () => AGREES });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert.ok(!names.includes(UPLOAD) && !names.includes(EXPORT));
    await client.close();
    const { text } = await runWithPerson(session, UPLOAD, await site.createInput(UPLOAD));
    assert.match(text, /failed \(unsupported\)[^]*--workspace DIR/);
    assert.deepEqual(demo.writes, []);
  });

  describe(UPLOAD, () => {
    it('names the module, the version, the platform, and the files in its question', async () => {
      const input = await site.createInput(UPLOAD);
      const build = join(site.workspaceFolder, String(input.folder), 'build');
      writeFileSync(join(build, '.env'), 'TOKEN=1');
      for (let index = 0; index < 20; index += 1) writeFileSync(join(build, `${index}.txt`), 'x');
      let [question, detail] = ['', ''];
      await upload(input, {
        confirm: (confirmation) => {
          ({ question, detail } = confirmation);
          return Promise.resolve('declined');
        },
      });
      const version = String(input.moduleVersion);
      assert.equal(question, `Upload "${MODULE}", version "${version}", for linux/amd64?`);
      assert.match(detail, /^These files look like secrets: "\.env"\n/);
      assert.match(detail, /It belongs to the organization "Norrvik Automation"\./);
      assert.match(detail, new RegExp(`\\nPath of the build: "${String(input.folder)}/build"\\n`));
      assert.match(
        detail,
        /\nFiles: 22, bytes: 44, fingerprint: [0-9a-f]{12}\n- "\.env" \(7 B\)\n/,
      );
      assert.match(detail, /\n- 12 more$/);
      assert.deepEqual(demo.writes, []);
    });

    it('uploads a version over MCP after consent, as the command does', async () => {
      const input = await site.createInput(UPLOAD);
      const client = await connectClient(openSession(), { answer: () => AGREES });
      const result = await client.callTool({ name: UPLOAD, arguments: { ...input } });
      assert.ok(result.isError !== true, JSON.stringify(result));
      assert.match(JSON.stringify(result.structuredContent), /"platform":"linux\/amd64","files":1/);
      const { versions } = await demo.stores.registry.get(registryItemId(MODULE), { fresh: true });
      const uploaded = versions.find(({ version }) => version === input.moduleVersion);
      assert.deepEqual(
        uploaded?.files.map(({ platform }) => platform),
        ['linux/amd64'],
      );
      const again = await client.callTool({ name: UPLOAD, arguments: { ...input } });
      assert.match(JSON.stringify(again.content), /was already uploaded for linux/);
      await client.close();
    });

    it('shows a new confirmation if the files change while the first is open', async () => {
      const input = await site.createInput(UPLOAD);
      const build = join(site.workspaceFolder, String(input.folder), 'build');
      let count = 0;
      await upload(input, {
        confirm: () => {
          count += 1;
          if (count > 1) return Promise.resolve('declined');
          writeFileSync(join(build, 'main.sh'), '#!/bin/sh\nexit 1\n');
          return Promise.resolve('accepted');
        },
      });
      assert.equal(count, 2);
      assert.deepEqual(demo.writes, []);
    });

    it('shows the files that are published as descriptions, and shows a new confirmation if they or meta.json change', async () => {
      const input = await site.createInput(UPLOAD);
      const folder = join(site.workspaceFolder, String(input.folder));
      writeModule(folder, { moduleId: MODULE, markdownLink: '.env' });
      writeFileSync(join(folder, '.env'), 'TOKEN=old');
      const details: string[] = [];
      await upload(input, {
        confirm: ({ detail }) => {
          details.push(detail);
          const file = join(folder, ['.env', 'meta.json'][details.length - 1] ?? '');
          if (details.length > 2) return Promise.resolve('declined');
          const text = readFileSync(file, 'utf8');
          writeFileSync(file, text.replace(/old|Measures/, 'new'));
          return Promise.resolve('accepted');
        },
      });
      assert.equal(details.length, 3);
      assert.match(details[0] ?? '', /^These files look like secrets: "\.env"\n/);
      assert.match(details[0] ?? '', /\nPublished descriptions: "\.env"\n/);
      assert.deepEqual(demo.writes, []);
    });

    it('asks nothing if the build cannot be uploaded', async () => {
      const { workspaceFolder: root } = site;
      writeModule(join(root, 'other'), { moduleId: 'norrvik:other' });
      writeModule(join(root, 'broken'), { moduleId: MODULE });
      writeFileSync(join(root, 'broken', 'meta.json'), '{');
      writeModule(join(root, 'linking'), { moduleId: MODULE });
      symlinkSync('/etc', join(root, 'linking', 'build', 'etc'));
      writeModule(join(root, 'empty'), { moduleId: MODULE, build: { path: 'nothing' } });
      mkdirSync(join(root, 'empty', 'nothing'));
      const moduleVersion = '10.0.0';
      const attempts: readonly (readonly [folder: string, expected: RegExp, more?: Input])[] = [
        ['other', /invalid[^]*another module/],
        ['broken', /invalid[^]*can't be/],
        ['linking', /invalid[^]*can't be uploaded/],
        ['empty', /invalid[^]*can't be uploaded/],
        ['../..', /permission[^]*isn't in the workspace/],
        ['module-1', /permission[^]*isn't in the workspace/, { build: '/etc/passwd' }],
      ];
      for (const [folder, expected, more = {}] of attempts) {
        const input = { moduleId: MODULE, moduleVersion, folder, ...more };
        const { text } = await upload(input, { confirm: () => assert.fail(folder) });
        assert.match(text, expected, folder);
      }
      assert.deepEqual(demo.writes, []);
    });
  });

  describe(EXPORT, () => {
    const query = 'SELECT part_id, component_name, time_received FROM readings LIMIT 500';

    async function run(input: Input, session = openSession()): Promise<AgentAnswer> {
      const [organization] = await demo.stores.organizations.list();
      const { signal } = new AbortController();
      return runTool(
        findTool(EXPORT),
        { language: 'sql', query, organizationId: organization?.id, ...input },
        session,
        { signal },
      );
    }

    it('asks a person first if the session can, and writes nothing without consent', async () => {
      const questions: string[] = [];
      let decision: Decision = 'declined';
      const session: ToolSession = {
        ...openSession(),
        confirmExport: ({ question }) => {
          questions.push(question);
          return Promise.resolve(decision);
        },
      };
      const file = join(site.workspaceFolder, 'asked.csv');
      const input = { format: 'csv', path: 'asked.csv' };
      assert.match(
        (await run(input, session)).text,
        /failed \(permission\)[^]*declined the export, so no file was written/,
      );
      assert.match((await run(input, session)).text, /just declined this change/);
      assert.deepEqual(questions, [
        'Write the rows of a query to the new file "asked.csv" in the workspace?',
      ]);
      assert.ok(!existsSync(file));
      demo.clock.advance(2 * 60_000);
      decision = 'accepted';
      const { text, isError } = await run(input, session);
      assert.ok(!isError, text);
      assert.equal(questions.length, 2);
      assert.ok(existsSync(file));
    });

    for (const format of ['csv', 'ndjson', 'parquet'] as const) {
      it(`writes all rows as ${format}`, async () => {
        const path = `rows.${format}`;
        const { text, structured, isError } = await run({ format, path });
        assert.ok(!isError, text);
        const file = readFileSync(join(site.workspaceFolder, path));
        const { untrusted } = structured as { readonly untrusted: Input };
        assert.deepEqual(untrusted, { path, rows: 500, bytes: file.length });
        const lines = file.toString('utf8').trimEnd().split('\n');
        if (format === 'csv') assert.equal(lines.length, 501);
        else if (format === 'ndjson') assert.equal(lines.length, 500);
        else assert.equal(file.toString('latin1', file.length - 4), 'PAR1');
        assert.deepEqual(demo.writes, []);
        const again = await run({ format, path });
        assert.match(again.text, /failed \(conflict\)[^]*already exists/);
        assert.ok(readFileSync(join(site.workspaceFolder, path)).equals(file));
      });
    }

    it('runs an MQL query', async () => {
      const pipeline = JSON.stringify([{ $limit: 3 }]);
      const input = { language: 'mql', query: pipeline, format: 'ndjson', path: 'mql.ndjson' };
      const { text, isError } = await run(input);
      assert.ok(!isError, text);
      assert.match(text, /"rows":3/);
    });

    it('leaves no file after an error', async () => {
      const before = readdirSync(site.workspaceFolder).sort();
      const { text } = await run({
        format: 'csv',
        path: 'bad.csv',
        query: 'SELECT nothing FROM x',
      });
      assert.match(text, /failed \(invalid\)/);
      for (const path of ['../out.csv', '/tmp/out.csv', 'missing/out.csv']) {
        assert.match((await run({ format: 'csv', path })).text, /failed \(permission\)/);
      }
      assert.deepEqual(readdirSync(site.workspaceFolder).sort(), before);
    });
  });
});
