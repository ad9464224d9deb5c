/**
 * Returns the result of work that a prompt starts, even if the user dismisses the prompt before the
 * work finishes. By then, the request has been sent, so its result must be handled.
 * @param prompt prompts the user, and passes each piece of work that it starts to its callback;
 *   throws when the user dismisses the prompt
 * @throws the errors of `prompt`, unless the last piece of work succeeds anyway
 */
export async function completeAfterCancel<Result>(
  prompt: (begun: (work: Promise<Result>) => Promise<Result>) => Promise<unknown>,
): Promise<Result> {
  let last: Promise<Result> | undefined;
  const begun = (work: Promise<Result>): Promise<Result> => {
    last = work;
    return work;
  };
  try {
    await prompt(begun);
  } catch (error) {
    const result = last?.then((value) => ({ value }));
    const came = await result?.catch(() => undefined);
    if (!came) throw error;
    return came.value;
  }
  if (!last) throw new Error('The question ended without its work.');
  return last;
}
