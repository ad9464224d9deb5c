import type { TrainingLogFollower } from '../../../../core/training/trainingLogFollower';

/** A log as lines of text, with the moments in UTC. */
export function logText(
  name: string,
  { lines, dropped }: Pick<TrainingLogFollower, 'lines' | 'dropped'>,
): string {
  const texts = lines.map(({ at, level, message }) =>
    [at?.toISOString(), level, message]
      .filter((text) => text !== undefined && text !== '')
      .join(' '),
  );
  const cut = dropped > 0 ? [`(${String(dropped)} earlier lines are left out)`] : [];
  return [name, '', ...cut, ...texts, ''].join('\n');
}
