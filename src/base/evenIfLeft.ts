/**
 * The result of work that a question starts, also when the person leaves the question in the meantime: what was
 * sent is sent, and what came of it still has to be seen to.
 * @param ask asks, and hands over each piece of work that it begins; throws when the person leaves
 * @throws what `ask` throws, unless the last piece of work comes to a result all the same
 */
export async function evenIfLeft<Result>(
  ask: (begun: (work: Promise<Result>) => Promise<Result>) => Promise<unknown>,
): Promise<Result> {
  let last: Promise<Result> | undefined;
  const begun = (work: Promise<Result>): Promise<Result> => {
    last = work;
    return work;
  };
  try {
    await ask(begun);
  } catch (error) {
    const result = last?.then((value) => ({ value }));
    const came = await result?.catch(() => undefined);
    if (!came) throw error;
    return came.value;
  }
  if (!last) throw new Error('The question ended without its work.');
  return last;
}
