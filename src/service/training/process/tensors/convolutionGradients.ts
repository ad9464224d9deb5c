import {
  backend_util,
  conv2d,
  type Conv2DAttrs,
  pad,
  registerGradient,
  reverse,
  slice,
  type Tensor,
  type Tensor4D,
  transpose,
} from '@tensorflow/tfjs-core';

/**
 * Registers the gradients of a convolution with respect to its weights and inputs, implemented with
 * convolutions. The WASM backend has no kernel for the weight gradient and only a slow one for the
 * input gradient, but a fast one for convolutions.
 */
export function registerConvolutionGradients(): void {
  registerGradient({
    kernelName: 'Conv2D',
    inputsToSave: ['x', 'filter'],
    gradFunc: (outputGradient, saved, attributes) => {
      const [x, filter] = saved as [Tensor4D, Tensor4D];
      const dy = outputGradient as Tensor4D;
      const { strides, pad: padding } = attributes as unknown as Conv2DAttrs;
      const convInfo = backend_util.computeConv2DInfo(x.shape, filter.shape, strides, 1, padding);
      return {
        x: () => computeInputGradient(dy, filter, convInfo),
        filter: () => computeFilterGradient(x, dy, convInfo),
      };
    },
  });
}

/** The images serve as the channels, and the output gradients serve as the weights. */
function computeFilterGradient(
  x: Tensor4D,
  dy: Tensor4D,
  {
    padInfo,
    strideHeight,
    strideWidth,
    filterHeight,
    filterWidth,
    inHeight,
    inWidth,
    outHeight,
    outWidth,
  }: backend_util.Conv2DInfo,
): Tensor {
  // Crops rows that no window reaches. Otherwise, the result would be larger than the weights.
  const bottom = (outHeight - 1) * strideHeight + filterHeight - inHeight - padInfo.top;
  const right = (outWidth - 1) * strideWidth + filterWidth - inWidth - padInfo.left;
  const padded = pad(
    slice(x, [0, 0, 0, 0], [-1, inHeight + Math.min(bottom, 0), inWidth + Math.min(right, 0), -1]),
    [
      [0, 0],
      [padInfo.top, Math.max(bottom, 0)],
      [padInfo.left, Math.max(right, 0)],
      [0, 0],
    ],
  );
  const images = transpose(padded, [3, 1, 2, 0]);
  const gradients = transpose(dy, [1, 2, 0, 3]);
  const result = conv2d(images, gradients, 1, 'valid', 'NHWC', [strideHeight, strideWidth]);
  return transpose(result, [1, 2, 0, 3]);
}

function computeInputGradient(
  dy: Tensor4D,
  filter: Tensor4D,
  { strideHeight, strideWidth, filterHeight, filterWidth, padInfo }: backend_util.Conv2DInfo,
): Tensor {
  if (strideHeight !== 1 || strideWidth !== 1) {
    throw new RangeError('only the first convolution of a network can have strides');
  }
  const backwards = transpose(reverse(filter, [0, 1]), [0, 1, 3, 2]);
  return conv2d(dy, backwards, 1, [
    [0, 0],
    [filterHeight - 1 - padInfo.top, filterHeight - 1 - padInfo.bottom],
    [filterWidth - 1 - padInfo.left, filterWidth - 1 - padInfo.right],
    [0, 0],
  ]);
}
