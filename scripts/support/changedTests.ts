import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { programEntries } from './bundles';
import { fromRoot, root } from './paths';
import type { TestStage } from './testStages';

/** Imports of each file; all paths are relative to the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/**
 * Pattern of documentation files, which no program loads but which tests of the documentation read.
 */
const documentation = /\.md$|^docs\//;
const documentationTests = 'test/unit/docs/';

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stderr}`);
  return stdout;
}

/** Returns the files that differ from a commit, including untracked files. */
export function listChangedFiles(base: string): readonly string[] {
  const differing = run('git', ['diff', '--name-only', '--relative', base]);
  const unknown = run('git', ['ls-files', '--others', '--exclude-standard']);
  return `${differing}\n${unknown}`.split('\n').filter((path) => path !== '');
}

/** Reads the imports of all source and test files, and the programs that tests bundle and start. */
export function readImportGraph(): ImportGraph {
  interface Cruised {
    modules: { source: string; dependencies: { resolved: string }[] }[];
  }
  const folders = ['src', 'webview', 'test', 'scripts', 'bench'];
  const cruise = fromRoot('node_modules', '.bin', 'depcruise');
  const { modules } = JSON.parse(run(cruise, [...folders, '--output-type', 'json'])) as Cruised;
  return new Map(
    modules.map(({ source, dependencies }) => [
      source,
      [...dependencies.map(({ resolved }) => resolved), ...loadedBy(source)],
    ]),
  );
}

/**
 * Returns the files that a test or its helpers load without an import. These files are bundles,
 * identified by name or path.
 */
function loadedBy(source: string): readonly string[] {
  if (!source.startsWith('test/') || !existsSync(fromRoot(source))) return [];
  const text = readFileSync(fromRoot(source), 'utf8');
  const apps = matches(text, /bundle(?:App|Script)\('(\w+)'\)/g).flatMap((app) =>
    globSync(`webview/${app}/{main,renderer,script}.ts`, { cwd: root }),
  );
  const parts = /bundleParts\(|build\(/.test(text)
    ? matches(text, /['/]((?:webview|test)\/[\w./-]+)['`]/g)
    : [];
  const programs = /bundledProgram\(|programBundle\(|nodeBundles\(/.test(text)
    ? Object.entries(programEntries).filter(
        ([name]) => text.includes('nodeBundles(') || text.includes(`'${name}'`),
      )
    : [];
  return [
    ...apps,
    ...parts.map((path) => (/\.\w+$/.test(path) ? path : `${path}.ts`)),
    ...programs.map(([, entry]) => entry),
  ];
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, match]) => match ?? []);
}

/** Returns the changed files and all files that depend on them. */
export function findReached(graph: ImportGraph, changed: readonly string[]): ReadonlySet<string> {
  const dependents = new Map<string, string[]>();
  for (const [source, imports] of graph) {
    for (const path of imports) dependents.set(path, [...(dependents.get(path) ?? []), source]);
  }
  const reached = new Set(changed);
  // Iterating over a set includes items that are added during the iteration.
  for (const path of reached) for (const source of dependents.get(path) ?? []) reached.add(source);
  return reached;
}

/**
 * Returns the stages that the changed files affect. If a stage has test files, the result contains
 * only the affected test files. A changed file outside the import graph, such as a tool's config,
 * affects all stages.
 */
export function selectStages(
  stages: readonly TestStage[],
  changed: readonly string[],
  graph: ImportGraph,
): readonly TestStage[] {
  const code = changed.filter((path) => !documentation.test(path));
  if (code.some((path) => !graph.has(path))) return stages;
  const reached = findReached(graph, code);
  const hasTexts = code.length < changed.length;
  const chosen = stages.flatMap((stage) => {
    if (stage.files === undefined) {
      const isReached = [...reached].some((path) =>
        stage.reachedBy?.some((prefix) => path.startsWith(prefix)),
      );
      return isReached || (stage.reachedBy?.includes('') && changed.length > 0) ? [stage] : [];
    }
    const files = stage.files.filter(
      (path) => reached.has(path) || (hasTexts && path.startsWith(documentationTests)),
    );
    return files.length > 0 ? [{ ...stage, files }] : [];
  });
  const needed = new Set(chosen.flatMap(({ after }) => after ?? []));
  return stages.flatMap(
    (stage) =>
      chosen.find(({ name }) => name === stage.name) ?? (needed.has(stage.name) ? stage : []),
  );
}
