import type { PageJob } from '../../src/shared/training';
import { element } from '../ui/elements';
import { type JobTimes, trainedFor } from './jobTimes';
import { statusIcon } from './statusIcon';

/** Returns the ID of a job's element, by which the list refers to the selected job. */
export function jobRowId(id: string): string {
  return `job-${id}`;
}

/**
 * Creates the two-line row of a job: its result and status, then its inputs.
 * @param mark text that indicates that the job is being compared
 */
export function jobRow(job: PageJob, times: JobTimes, mark: string): HTMLElement {
  const { id, model, version, state, status, training, dataset, submittedAt } = job;
  const row = element(
    'div',
    { role: 'option', id: jobRowId(id), class: `job ${state}`, 'data-job': id },
    element(
      'div',
      { class: 'job-line' },
      statusIcon(state),
      element('span', { class: 'job-model', dir: 'auto' }, model),
      ' ',
      element('span', { class: 'job-version', dir: 'auto' }, version),
      ' ',
      element('span', { class: 'job-mark', hidden: '' }, mark),
      ' ',
      element('span', { class: 'job-status' }, status),
    ),
  );
  const second = element('div', { class: 'job-line second' });
  const now = Date.now();
  const lasted = trainedFor(job, now);
  const description = [dataset, training].filter((text) => text !== '').join(' · ');
  second.append(
    element('span', { class: 'job-of', dir: 'auto', title: description }, description),
    ' ',
  );
  if (submittedAt !== undefined) second.append(times.renderShortTime(submittedAt, now), ' ');
  if (lasted !== undefined) {
    second.append(element('span', { class: 'job-duration' }, times.duration(lasted)));
  }
  row.append(second);
  return row;
}
