import type { Localizer } from '../../base/localizer';
import type { ResolveProblem } from '../fragments/fragmentImport';
import { toDisplayText } from '../model/displayText';

/** Returns a fragment's name; undefined if it can't be read. */
export type FragmentNameLookup = (id: string) => string | undefined;

/**
 * Formats a problem: its description, the nested fragment that contains it, and the recommended
 * action.
 */
export function formatResolveProblem(
  problem: ResolveProblem,
  getName: FragmentNameLookup,
  l10n: Localizer,
): string {
  const text = describeProblem(problem, getName, l10n);
  if (problem.fragments.length === 0) return text;
  return l10n.t('In {0}: {1}', formatFragmentChain(problem.fragments, getName), text);
}

/** Formats nested fragments, outermost first. */
export function formatFragmentChain(ids: readonly string[], getName: FragmentNameLookup): string {
  return ids.map((id) => formatFragment(id, getName)).join(' › ');
}

function describeProblem(
  { kind, subject }: ResolveProblem,
  getName: FragmentNameLookup,
  l10n: Localizer,
): string {
  const shown = toDisplayText(subject);
  const fragment = (): string => formatFragment(subject, getName);
  switch (kind) {
    case 'notAnObject':
      return l10n.t('The config must be a JSON object.');
    case 'malformedImport':
      return l10n.t('A fragment must be an ID or an object with an "id".');
    case 'unknownFragment':
      return getName(subject) === undefined
        ? l10n.t(
            "Fragment {0} doesn't exist, or you don't have permission to read it. Check its ID.",
            fragment(),
          )
        : l10n.t("The fragment {0} doesn't have this version.", fragment());
    case 'cycle':
      return l10n.t('The fragment {0} contains itself.', fragment());
    case 'tooDeep':
      return l10n.t('The fragment {0} is nested more than five levels deep.', fragment());
    case 'duplicateImport':
      return l10n.t(
        'The fragment {0} is used twice. Use a different prefix for each use.',
        fragment(),
      );
    case 'missingVariable':
      return l10n.t(
        'The variable "{0}" has no value and no default. Set its value in "variables".',
        shown,
      );
    case 'unknownVariable':
      return l10n.t('The fragment has no variable "{0}".', shown);
    case 'variableOutsideFragment':
      return l10n.t('The variable "{0}" is used outside a fragment.', shown);
    case 'malformedMod':
      return l10n.t(
        'An override must be an object such as {0}. This fragment is not applied.',
        '{"$set": {"components.camera.attributes.width_px": 640}}',
      );
    case 'modWithoutImport':
      return l10n.t("This config overrides the fragment {0} but doesn't use it.", fragment());
    case 'unsupportedOperator':
      return l10n.t(
        'The operator "{0}" is unknown. Use $set, $unset, or $rename. No overrides for this fragment are applied.',
        shown,
      );
    case 'modTargetMissing':
      return l10n.t(
        'The fragment has no value at "{0}". No overrides for this fragment are applied.',
        shown,
      );
    case 'duplicateName':
      return l10n.t(
        'Two different entries are called "{0}". The first one is shown. Rename one or use a prefix.',
        shown,
      );
    case 'conflictingValue':
      return l10n.t('Two fragments set different values at "{0}". The first one is shown.', shown);
    case 'valueTooDeep':
      return l10n.t('The values are nested too deeply. Some are not shown.');
    case 'tooLarge':
      return l10n.t('The fragments are too many or too large to show completely.');
  }
}

function formatFragment(id: string, getName: FragmentNameLookup): string {
  const name = getName(id);
  return name === undefined ? toDisplayText(id) : `"${toDisplayText(name)}"`;
}
