import { askStep, type InputOptions } from './prompts';

/** One of several questions, put together when it is asked. @param answers those before it, trimmed. */
export type StepQuestion = (answers: readonly string[]) => Omit<InputOptions, 'step'>;

/**
 * Asks for several texts one after the other, with a way back from each to the one before, whose answer
 * is still there. Answers them trimmed. Throws `canceled` when the person leaves.
 */
export async function askSteps(questions: readonly StepQuestion[]): Promise<readonly string[]> {
  const answers: string[] = [];
  const of = questions.length;
  for (let index = 0; index < of;) {
    const options = questions[index]?.(answers.slice(0, index));
    if (!options) break;
    const step = of > 1 ? { number: index + 1, of } : undefined;
    const answer = await askStep({ ...options, value: answers[index] ?? options.value, step });
    if (!answer.back) answers[index] = answer.value.trim();
    index += answer.back ? -1 : 1;
  }
  return answers;
}
