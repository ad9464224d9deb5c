import { promptForStep, type InputOptions } from './prompts';

/**
 * Returns the options of a prompt when it is shown.
 * @param answers trimmed answers to the previous prompts.
 */
export type StepQuestion = (answers: readonly string[]) => Omit<InputOptions, 'step'>;

/**
 * Prompts for a sequence of texts, with a back button that restores the previous input. Returns the
 * trimmed inputs. Throws `canceled` if the user dismisses a prompt.
 */
export async function promptForSteps(
  questions: readonly StepQuestion[],
): Promise<readonly string[]> {
  const answers: string[] = [];
  const of = questions.length;
  for (let index = 0; index < of;) {
    const options = questions[index]?.(answers.slice(0, index));
    if (!options) break;
    const step = of > 1 ? { number: index + 1, of } : undefined;
    const answer = await promptForStep({
      ...options,
      value: answers[index] ?? options.value,
      step,
    });
    if (!answer.back) answers[index] = answer.value.trim();
    index += answer.back ? -1 : 1;
  }
  return answers;
}
