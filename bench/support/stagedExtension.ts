import { nativePackages } from '../../scripts/support/nativePackages';
import { buildForRelease } from '../../scripts/support/packExtension';
import { root } from '../../scripts/support/paths';
import { stageExtension } from '../../scripts/support/stageExtension';
import { getCurrentTarget } from '../../scripts/support/vsixTargets';

/** Builds the extension and copies it to a folder, so that later builds don't affect a run. */
export function stageReleasedExtension(folder: string): void {
  buildForRelease();
  const target = getCurrentTarget();
  const packages = target === 'universal' ? [] : nativePackages(target);
  stageExtension({ source: root, folder, target, packages });
}
