import { assertErrors, assertValues } from './expressionCases';

// Expected results follow MongoDB's manual.
describe('arithmetic in pipelines', () => {
  it('$round rounds the exact value, halves to the even digit, also before the point', async () => {
    await assertValues({ n: 2.55, half: 2.5, list: [] }, [
      [{ $round: '$n' }, 3],
      [{ $round: ['$half'] }, 2],
      [{ $round: [3.5, 0] }, 4],
      [{ $round: [-2.51, 0] }, -3],
      [{ $round: [19.25, 1] }, 19.2],
      [{ $round: [28.73, 1] }, 28.7],
      [{ $round: [34.36, 1] }, 34.4],
      [{ $round: [-45.39, 1] }, -45.4],
      [{ $round: [1.005, 2] }, 1],
      [{ $round: [0.000123456, 5] }, 0.00012],
      [{ $round: [1234.56, -2] }, 1200],
      [{ $round: [1250, -2] }, 1200],
      [{ $round: [1350, -2] }, 1400],
      [{ $round: [-1250.5, -2] }, -1300],
      [{ $round: [55, -2] }, 100],
      [{ $round: [5, -2] }, 0],
      [{ $round: [1e300, 2] }, 1e300],
      [{ $round: [NaN, 1] }, NaN],
      [{ $round: ['$none', 1] }, null],
      [{ $round: ['$n', null] }, null],
      [{ $trunc: [19.99, 1] }, 19.9],
      [{ $trunc: [-19.99, 0] }, -19],
      [{ $trunc: [1299, -2] }, 1200],
    ]);
    await assertErrors({ n: 1 }, [
      [{ $round: ['$n', 1.5] }, /decimal places must be a whole number from -20 to 100/],
      [{ $trunc: ['$n', 101] }, /decimal places must be a whole number/],
      [{ $round: ['$n', 1, 2] }, /\$round needs 1 to 2 operands/],
      [{ $round: ['x', 1] }, /\$round needs numbers/],
    ]);
  });

  it('calculates with NaN and infinity, and counts operands', async () => {
    await assertValues({ n: NaN, i: Infinity }, [
      [{ $multiply: ['$n', 2] }, NaN],
      [{ $divide: ['$n', 2] }, NaN],
      [{ $pow: ['$n', 2] }, NaN],
      [{ $multiply: [] }, 1],
      [{ $isNumber: '$n' }, true],
      [{ $toBool: '$n' }, true],
      [{ $divide: [1, '$i'] }, 0],
      [{ $pow: ['$none', 2] }, null],
    ]);
    await assertErrors({ n: 5 }, [
      [{ $subtract: ['$n', 2, 1] }, /\$subtract needs 2 operands/],
      [{ $divide: ['$n', 2, 1] }, /\$divide needs 2 operands/],
      [{ $divide: ['$n', 0] }, /divisor of \$divide must not be 0/],
      [{ $pow: [0, -1] }, /no powers with negative exponents/],
      [{ $add: ['$n', 'x'] }, /\$add needs numbers/],
    ]);
  });

  it('adds milliseconds to dates', async () => {
    const date = new Date(1000);
    await assertValues({ date }, [
      [{ $add: ['$date', 1.6] }, new Date(1002)],
      [{ $add: [500, '$date', 500] }, new Date(2000)],
      [{ $subtract: ['$date', 999.5] }, new Date(1)],
      [{ $subtract: ['$date', new Date(400)] }, 600],
      [{ $add: ['$date', '$none'] }, null],
    ]);
    await assertErrors({ date }, [
      [{ $add: ['$date', '$date'] }, /\$add must have only one date/],
      [{ $subtract: [1, '$date'] }, /\$subtract needs numbers/],
      [{ $add: ['$date', 1e300] }, /resulting date is out of range/],
      [{ $multiply: ['$date', 2] }, /\$multiply needs numbers/],
    ]);
  });

  it('has trigonometry for every number in the domain, and for no other', async () => {
    await assertValues({ i: Infinity, n: NaN }, [
      [{ $acos: 0 }, Math.PI / 2],
      [{ $atan: '$i' }, Math.PI / 2],
      [{ $acosh: '$i' }, Infinity],
      [{ $degreesToRadians: { $multiply: ['$i', -1] } }, -Infinity],
      [{ $atan2: ['$none', 1] }, null],
      [{ $atan2: [1, 1] }, Math.PI / 4],
      [{ $sin: '$n' }, NaN],
      [{ $tanh: '$none' }, null],
    ]);
    await assertErrors({ i: Infinity }, [
      [{ $acos: '$i' }, /\$acos: Infinity is out of range/],
      [{ $asin: 2 }, /\$asin: 2 is out of range/],
      [{ $acosh: 0.5 }, /\$acosh: 0.5 is out of range/],
      [{ $atanh: -2 }, /\$atanh: -2 is out of range/],
      [{ $cos: '$i' }, /\$cos: Infinity is out of range/],
      [{ $atan2: ['x', 1] }, /\$atan2 needs numbers/],
    ]);
  });

  it('combines the bits of 64-bit numbers', async () => {
    await assertValues({ big: 2 ** 40 + 1 }, [
      [{ $bitAnd: ['$big', 2 ** 40] }, 2 ** 40],
      [{ $bitOr: ['$big', 2] }, 2 ** 40 + 3],
      [{ $bitXor: ['$big', 1] }, 2 ** 40],
      [{ $bitNot: '$big' }, -(2 ** 40) - 2],
      [{ $bitAnd: [] }, -1],
      [{ $bitAnd: ['$none', 1] }, null],
    ]);
    await assertErrors({}, [[{ $bitAnd: [1.5, 1] }, /\$bitAnd needs whole numbers/]]);
  });
});
