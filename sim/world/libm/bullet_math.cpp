/// The functions of the mathematical library that Bullet calls and that IEEE 754 does not define to
/// the last bit. glibc chooses its own by the processor (with or without FMA), so that one binary
/// gives different worlds on two machines. A program that links these uses them instead, in
/// Bullet's shared libraries, too. They are made of operations with exactly defined results; errors
/// are a few units in the last place.
#include <cmath>

namespace {

constexpr double pi = 3.14159265358979323846;
// pi / 2 in two parts: the first has 33 bits, so that its product with up to 20 bits is exact.
constexpr double quarter_high = 1.57079632673412561417e+00;
constexpr double quarter_low = 6.07710050650619224932e-11;

// Taylor series on [-pi/4, pi/4]; the first omitted terms are below 1e-17.
double sine_near_0(double r) {
  const double r2 = r * r;
  double sum = 0;
  for (int n = 17; n > 1; n -= 2) sum = (1 + sum) * (-r2 / (n * (n - 1)));
  return r + r * sum;
}
double cosine_near_0(double r) {
  const double r2 = r * r;
  double sum = 0;
  for (int n = 18; n > 0; n -= 2) sum = (1 + sum) * (-r2 / (n * (n - 1)));
  return 1 + sum;
}

// sin(x + quarters * pi / 2). Not a number for an infinite x.
double sine(double x, long long quarters) {
  if (!(std::fabs(x) < 1e6)) x = std::fmod(x, 2 * pi);  // exact; infinity becomes not a number
  if (std::isnan(x)) return x;
  const double n = std::floor(x / (pi / 2) + 0.5);
  const double r = (x - n * quarter_high) - n * quarter_low;
  quarters += static_cast<long long>(n);
  const double size = (quarters & 1) != 0 ? cosine_near_0(r) : sine_near_0(r);
  return (quarters & 2) != 0 ? -size : size;
}

// On [0, 1]. Two halvings leave at most tan(pi/16), where the first omitted term is below 1e-18.
double arc_tangent(double t) {
  t = t / (1 + std::sqrt(1 + t * t));
  t = t / (1 + std::sqrt(1 + t * t));
  const double t2 = t * t;
  double sum = 0;
  for (int n = 23; n >= 1; n -= 2) sum = 1.0 / n - t2 * sum;
  return 4 * (t * sum);
}

}  // namespace

// Names of the C library, given to functions of other names: C libraries differ in how they declare
// theirs.
extern "C" {

double own_sin(double x) asm("sin");
double own_cos(double x) asm("cos");
void own_sincos(double x, double* s, double* c) asm("sincos");
double own_atan2(double y, double x) asm("atan2");
double own_acos(double x) asm("acos");
double own_asin(double x) asm("asin");

double own_sin(double x) { return x == 0 ? x : sine(x, 0); }
double own_cos(double x) { return sine(x, 1); }
void own_sincos(double x, double* s, double* c) {
  *s = own_sin(x);
  *c = own_cos(x);
}

double own_atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const double ax = std::fabs(x), ay = std::fabs(y);
  double angle = 0;
  if (ax == ay) {
    angle = ax == 0 ? 0 : pi / 4;
  } else {
    angle = ay < ax ? arc_tangent(ay / ax) : pi / 2 - arc_tangent(ax / ay);
  }
  return std::copysign(std::signbit(x) ? pi - angle : angle, y);
}

// Not a number beyond [-1, 1], as the square root is there.
double own_acos(double x) { return own_atan2(std::sqrt((1 - x) * (1 + x)), x); }
double own_asin(double x) { return own_atan2(x, std::sqrt((1 - x) * (1 + x))); }
}
