import type { ManifestFinding } from './manifestFinding';

/** Of a build whose place in the manifest leads out of its folder, through a link. */
export function buildOutside(path: string): ManifestFinding {
  return {
    code: 'buildOutside',
    severity: 'error',
    ...{ args: ['build.path', path], path: ['build', 'path'], fixes: [] },
  };
}
