import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { fromRoot, root } from '../scripts/support/paths';
import { startService } from '../scripts/support/serviceProcess';
import { findDemoTargets } from './support/demoTargets';
import { quickOrFull, report, runBenchmark } from './support/figures';
import { countObjects } from './support/heapSnapshot';
import { bundleProbe } from './support/hostProbe';
import { Inspector } from './support/inspector';
import { type LeakPlan, leakPlanVariable, type LeakResult } from './support/leakPlan';

const WARM_UP_ROUNDS = 5;
/** Number of objects per opened editor from which a class counts as leaking. */
const LEAKING = 0.5;
/** Number of other constructors to list. */
const LISTED = 25;
const LIMIT_MS = 1_800_000;
const QUERY = 'select component_name, count(*) as count from readings group by all limit 10';
const MEBIBYTE = 1024 * 1024;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(quickOrFull(10, 45)) },
    /** Kinds of editors to open, separated by commas; all by default. */
    kinds: { type: 'string', default: '' },
    /** Existing folder that keeps the heap snapshots. */
    snapshots: { type: 'string' },
  },
});

/** Names of the classes in the sources, which the development build keeps. */
function listOwnClasses(): ReadonlySet<string> {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/gen/**'] });
  const names = files.flatMap((file) =>
    [...readFileSync(fromRoot(file), 'utf8').matchAll(/\bclass (\w+)/g)].map(([, name]) => name),
  );
  return new Set(names.filter((name) => name !== undefined));
}

/** Constructors by the number of objects that were added, most first. */
function compare(before: string, after: string): readonly (readonly [string, number])[] {
  const [first, last] = [countObjects(before), countObjects(after)];
  return [...last]
    .map(([name, count]) => [name, count - (first.get(name) ?? 0)] as const)
    .filter(([, added]) => added > 0)
    .toSorted(([, one], [, other]) => other - one);
}

/**
 * Opens and closes every kind of panel, document, and notebook in real VS Code, and reports whether
 * the extension host's heap grew, which of our objects were left, and which streams of the service
 * stayed open.
 */
async function main(): Promise<void> {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The build failed.');
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-leaks-'));
  resources.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const logFile = join(folder, 'service.log');
  const service = await startService(
    ['--demo', '--demo-machines', 'still', '--data', join(folder, 'data')],
    { logFile, nodeOptions: ['--inspect=127.0.0.1:0'] },
  );
  resources.defer(() => service.stop());
  using inspector = await Inspector.connect(readFileSync(logFile, 'utf8'));
  const targets = await findDemoTargets(service);
  const { organization } = targets;
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const snapshots = values.snapshots ?? folder;
  const rounds = Number(values.rounds);
  const plan: LeakPlan = {
    ...targets,
    warmUpRounds: WARM_UP_ROUNDS,
    rounds,
    kinds: values.kinds === '' ? [] : values.kinds.split(','),
    result: join(folder, 'result.json'),
    snapshots: {
      before: join(snapshots, 'before.heapsnapshot'),
      after: join(snapshots, 'after.heapsnapshot'),
    },
    queryFile: join(workspace, 'parts.fleet.sql'),
    notebook: join(workspace, 'parts.fleetnb'),
  };
  writeFileSync(plan.queryFile, QUERY);
  writeFileSync(
    plan.notebook,
    `---\norganization: ${organization.organizationId}\n---\n\n\`\`\`sql\n${QUERY}\n\`\`\`\n`,
  );
  const countStreams = async (name: string): Promise<number> => {
    const file = join(snapshots, `service-${name}.heapsnapshot`);
    await inspector.writeSnapshot(file);
    return countObjects(file).get('ServerHttp2Stream') ?? 0;
  };
  const streamsBefore = await countStreams('before');
  const server = await startCodeServer({
    dataFolder: join(folder, 'code'),
    smokeTestDriver: true,
    settings: { 'fleetwright.documents.savePreview': 'never' },
    env: {
      FLEETWRIGHT_CREDENTIALS_FILE: service.credentialsFile,
      [leakPlanVariable]: JSON.stringify(plan),
    },
  });
  resources.defer(() => server.stop());
  await runInExtensionHost({
    server,
    developmentPath: root,
    testsPath: await bundleProbe('leakProbe.ts', folder),
    workspace,
    limitMs: LIMIT_MS,
  });
  if (!existsSync(plan.result)) throw new Error('The extension host did not finish the rounds.');
  const { before, after, kinds } = JSON.parse(readFileSync(plan.result, 'utf8')) as LeakResult;
  const opened = rounds * Object.keys(kinds).length;
  const total = { openedAndClosed: opened };
  report({
    name: 'leaks: heap of the extension host',
    ratio: after / before,
    against: `the heap after ${String(WARM_UP_ROUNDS)} rounds`,
    aim: '<= 1.02',
    ...total,
  });
  for (const [name, series] of Object.entries(kinds)) {
    report({
      name: `leaks: heap after opening and closing "${name}"`,
      ratio: (series.at(-1) ?? Number.NaN) / (series[0] ?? Number.NaN),
      against: 'the heap before',
      aim: '<= 1.02',
      mebibytes: series.map((heap) => Number((heap / MEBIBYTE).toFixed(2))),
    });
  }
  const own = listOwnClasses();
  const added = compare(plan.snapshots.before, plan.snapshots.after);
  const leaking = added.filter(([name, count]) => own.has(name) && count >= rounds * LEAKING);
  report({
    name: 'leaks: own classes with an object left per opened editor',
    ratio: leaking.length,
    against: 'all own classes',
    aim: '<= 0',
    leaking: Object.fromEntries(leaking),
    others: Object.fromEntries(added.slice(0, LISTED)),
    ownAdded: Object.fromEntries(added.filter(([name]) => own.has(name))),
  });
  const countOpen = (file: string): number => countObjects(file).get('ClientHttp2Stream') ?? 0;
  const [openBefore, openAfter] = [plan.snapshots.before, plan.snapshots.after].map(countOpen);
  report({
    name: 'leaks: streams that the extension host left open',
    ratio: Number(openAfter) - Number(openBefore),
    against: `the streams after ${String(WARM_UP_ROUNDS)} rounds`,
    aim: '<= 0',
    openBefore,
    openAfter,
  });
  // An open editor has streams of its own, such as its lease.
  await server.stop();
  const streamsAfter = await countStreams('after');
  report({
    name: 'leaks: streams that the service kept after the editor was closed',
    ratio: streamsAfter - streamsBefore,
    against: 'the streams before the editor was opened',
    aim: '<= 0',
    streamsBefore,
    streamsAfter,
  });
}

runBenchmark(main);
