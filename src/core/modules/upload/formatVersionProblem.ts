import type { Localizer } from '../../../base/localizer';
import type { VersionProblem } from './versionProblem';

/** Formats an error or warning about a version to upload for users. */
export function formatVersionProblem(problem: VersionProblem, l10n: Localizer): string {
  switch (problem.kind) {
    case 'form':
      return l10n.t(
        'A version must have three numbers, such as 1.2.3, and can have a suffix, such as 1.2.3-rc.1.',
      );
    case 'tooLong':
      return l10n.t('This version is too long.');
    case 'taken':
      return l10n.t('This version was already uploaded for {0}.', problem.platforms.join(', '));
    case 'same':
      return l10n.t(
        "This version differs from {0} only after the plus sign, which doesn't affect the order of versions. Use another number.",
        problem.other,
      );
    case 'older':
      return l10n.t(
        'This version is older than {0}. Machines that track the latest version ignore it.',
        problem.newest,
      );
  }
}
