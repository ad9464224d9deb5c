import type { Localizer } from '../../base/localizer';
import { displayName, toDisplayText } from '../model/displayText';
import type { PartTarget } from '../model/resourceTarget';
import type { TrainingJob } from '../model/trainingJob';

/** Question to a person before a change. */
export interface Confirmation {
  readonly question: string;
  /** Sentences about the effects, or lines. */
  readonly detail: string;
  /** Label of the button that makes the change. */
  readonly action: string;
}

/** Maximum length of a name in a question in characters. */
export const MAX_NAME_LENGTH = 80;

/** Double quotation marks, and characters that look like them. */
const QUOTES =
  /["\u02ba\u02dd\u02ee\u05f4\u201c-\u201f\u2033\u2036\u275d\u275e\u3003\u301d-\u301f\uff02]/g;

/** Resource with a name, which can be empty. */
interface Named {
  readonly name: string;
  readonly id: string;
}

/**
 * Converts a name from the fleet to one short line for a question. The name can't end the quotation
 * in which it is.
 */
export function toPromptName(text: string): string {
  return toPlainLine(text, MAX_NAME_LENGTH);
}

/**
 * Puts a name from the fleet in quotation marks, for lists and sentences without their own marks.
 * Otherwise, a name such as `a, b` could pose as two names, or continue the sentence.
 */
export function quoteName(text: string): string {
  return `"${toPromptName(text)}"`;
}

/** Puts text in quotation marks without shortening it. An agent could hide the end of its text. */
export function quoteText(text: string): string {
  return `"${toPlainLine(text, Infinity)}"`;
}

function toPlainLine(text: string, maxLength: number): string {
  return toDisplayText(text, maxLength).replaceAll(QUOTES, "'");
}

/** Returns the question before a part restarts. */
export function confirmPartRestart(
  target: PartTarget,
  organization: Named,
  l10n: Localizer,
): Confirmation {
  const [part, machine] = [toPromptName(target.name), toPromptName(target.machineName)];
  const effect = l10n.t("The part stops what it's doing and restarts the next time it checks in.");
  return {
    question: l10n.t('Restart the part "{0}" of "{1}"?', part, machine),
    detail: `${formatOwner(organization, l10n)} ${effect}`,
    action: l10n.t('Restart'),
  };
}

/** Returns the question before a training job is canceled. */
export function confirmTrainingCancellation(
  job: Pick<TrainingJob, 'id' | 'modelName' | 'modelVersion'>,
  organization: Named,
  l10n: Localizer,
): Confirmation {
  const effect = l10n.t('Training progress is lost. The job stays in the list.');
  return {
    question: l10n.t('Cancel the training of "{0}"?', formatTrainedModel(job)),
    detail: `${formatOwner(organization, l10n)} ${effect}`,
    action: l10n.t('Stop Training'),
  };
}

/** Returns a training job's model and version for a question. */
function formatTrainedModel({
  id,
  modelName,
  modelVersion,
}: Pick<TrainingJob, 'id' | 'modelName' | 'modelVersion'>): string {
  const model = displayName({ name: modelName, id });
  return `${toPromptName(model)} ${toPromptName(modelVersion)}`.trim();
}

/** Formats a resource's organization for a question. */
export function formatOwner(organization: Named, l10n: Localizer): string {
  const owner = toPromptName(displayName(organization));
  return l10n.t('It belongs to the organization "{0}".', owner);
}
