import type { JobState } from '../../src/shared/jobStates';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Icon paths in a 16 by 16 square. Each state has its own shape, so the states are recognizable
 * without color.
 */
const SHAPES: Readonly<Record<JobState, string>> = {
  pending: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 5v3.5l2.5 1.5',
  running: 'M8 2a6 6 0 1 1-5.2 3M2.5 2v3.2h3.2',
  completed: 'M3 8.5l3.5 3.5L13.5 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  canceling: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M5.5 8h5',
  canceled: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M4 12L12 4',
  other: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4v.6M8 12.6v.4',
};

/** Returns the icon of a state, which is shown next to the state's name. */
export function statusIcon(state: JobState): SVGElement {
  const image = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 16 16', class: `status-icon ${state}`, 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', SHAPES[state]);
  image.append(path);
  return image;
}
