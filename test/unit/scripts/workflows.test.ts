import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse as parseJson } from 'jsonc-parser';
import { parse } from 'yaml';
import { fromRoot, root } from '../../../scripts/support/paths';
import { vsixTargets } from '../../../scripts/support/vsixTargets';
import manifest from '../../../package.json';
import { CEPH_PACKAGES } from '../../support/cephCluster';

interface Step {
  uses?: string;
  run?: string;
}

interface Job {
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  strategy?: { matrix: { target?: string[]; include?: Record<string, string>[] } };
  steps: Step[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const read = (path: string): string => readFileSync(fromRoot(path), 'utf8');
const workflowPaths = globSync('.github/workflows/*.yml', { cwd: root });
const workflows = workflowPaths.map((path) => ({ path, ...(parse(read(path)) as Workflow) }));
const jobs = workflows.flatMap(({ path, jobs: named, permissions }) =>
  Object.entries(named).map(([name, job]) => ({ name: `${path} ${name}`, permissions, ...job })),
);
const npmScripts = new Set(['ci', 'test', ...Object.keys(manifest.scripts)]);

describe('the GitHub workflows', () => {
  for (const path of workflowPaths) {
    it(`${path} follows the schema of workflows`, async () => {
      const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
      const { context } = parseWorkflow(
        { name: path, content: read(path) },
        new NoOperationTraceWriter(),
      );
      assert.deepEqual(context.errors.getErrors().map(String), []);
    });
  }

  it('use actions by commit, with the version as a comment', () => {
    for (const path of workflowPaths) {
      for (const [line] of read(path).matchAll(/uses: .*/g)) {
        assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, path);
      }
    }
  });

  it('name the permissions and the time limit of every job', () => {
    for (const { name, permissions, 'timeout-minutes': limit } of jobs) {
      assert.notEqual(permissions, undefined, name);
      assert.notEqual(limit, undefined, name);
    }
  });

  it('run npm scripts that exist, install Ceph, or create a release', () => {
    const installCeph = `sudo apt-get update
sudo apt-get install -y --no-install-recommends ${CEPH_PACKAGES.join(' ')}`;
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const included = jobs.flatMap(({ strategy }) => strategy?.matrix.include ?? []);
    assert(scripts.some((script) => script.trim() === installCeph));
    for (const script of scripts) {
      if (script.trim() === installCeph) continue;
      const [, name = ''] = /^npm (?:run )?([\w:]+|\$\{\{ matrix\.script \}\})/.exec(script) ?? [];
      const names = name.startsWith('$') ? included.flatMap((row) => row.script ?? []) : [name];
      const exists = names.length > 0 && names.every((known) => npmScripts.has(known));
      assert(exists || script.startsWith('gh release create '), script);
    }
  });

  it('package every target', () => {
    const [targets] = jobs.flatMap(({ strategy }) =>
      strategy?.matrix.target === undefined ? [] : [strategy.matrix.target],
    );
    assert.deepEqual(targets, vsixTargets);
  });
});

describe('the Dependabot configuration', () => {
  it('names folders with a lock file', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      updates: { directories?: string[] }[];
    };
    const folders = updates.flatMap(({ directories = [] }) => directories);
    assert(folders.length > 0);
    for (const folder of folders) assert(existsSync(fromRoot(folder, 'package-lock.json')), folder);
  });
});

describe('the launch configurations', () => {
  it('start tasks that run npm scripts', () => {
    const { configurations } = parseJson(read('.vscode/launch.json')) as {
      configurations: { name: string; preLaunchTask?: string }[];
    };
    const { tasks } = parseJson(read('.vscode/tasks.json')) as {
      tasks: { label: string; script: string }[];
    };
    for (const { script } of tasks) assert(npmScripts.has(script), script);
    const labels = tasks.map(({ label }) => label);
    for (const { name, preLaunchTask } of configurations) {
      assert(preLaunchTask === undefined || labels.includes(preLaunchTask), name);
    }
  });
});
