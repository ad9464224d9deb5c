import type { Node } from 'jsonc-parser';
import { appsField } from './checkApps';
import type { ManifestFinding, ManifestFix, ManifestPath, PathCode } from './manifestFinding';
import { parseDescriptionLink, pathProblem } from './manifestPath';
import type { ModuleManifest } from './moduleManifest';

/** Reports paths that can't be valid in any build. */
export function* checkPaths(manifest: ModuleManifest, root: Node): Generator<ManifestFinding> {
  const { entrypoint, firstRun, build, markdownLink, models, apps } = manifest;
  // The registry requires an entrypoint even for modules that contain only applications.
  if (entrypoint.trim() === '') {
    yield {
      code: 'entrypointMissing',
      severity: 'error',
      args: [],
      path: ['entrypoint'],
      fixes: [],
    };
  }
  const field = appsField(root);
  const programs: (readonly [ManifestPath, string | undefined])[] = [
    [['entrypoint'], entrypoint.trim() === '' ? undefined : entrypoint],
    [['first_run'], firstRun],
    ...apps.map((app, index) => [[field, index, 'entrypoint'], app.entrypoint] as const),
  ];
  for (const [path, written] of programs) {
    if (written === undefined) continue;
    const problem = pathProblem(written);
    yield* checkPath(path, written, problem);
    if (!problem && isCommandLine(written)) yield warning('pathCommandLine', path, written);
  }
  const readings: (readonly [ManifestPath, string | undefined])[] = [
    [['build', 'path'], build.path],
    [['markdown_link'], parseDescriptionLink(markdownLink)?.file],
    ...models.map((model, index) => {
      return [
        ['models', index, 'markdown_link'],
        parseDescriptionLink(model.markdownLink)?.file,
      ] as const;
    }),
  ];
  for (const [path, written] of readings) {
    if (written !== undefined) yield* checkPath(path, written, pathProblem(written));
  }
}

function* checkPath(
  path: ManifestPath,
  written: string,
  code: PathCode | undefined,
): Generator<ManifestFinding> {
  if (code !== undefined) {
    yield { code, severity: 'error', args: [formatPath(path), written], path, fixes: [] };
  } else if (written.includes('\\')) {
    const fixes: ManifestFix[] = [{ kind: 'setValue', path, value: written.replaceAll('\\', '/') }];
    yield { ...warning('pathBackslash', path, written), fixes };
  }
}

/**
 * Returns true if a text looks like a shell command. No shell parses an entrypoint. An entrypoint
 * is the name of one file, and every character is part of that name.
 */
function isCommandLine(written: string): boolean {
  return /[;&|<>$`"'(){}*?!]|\s/.test(written);
}

function warning(code: PathCode, path: ManifestPath, written: string): ManifestFinding {
  return { code, severity: 'warning', args: [formatPath(path), written], path, fixes: [] };
}

function formatPath(path: ManifestPath): string {
  return path.map(String).join('.');
}
