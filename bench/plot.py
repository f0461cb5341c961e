"""Line charts as SVG, enough for the page of figures and no more."""
import html
import math

COLOURS = ["#0b6e4f", "#c1292e", "#235789", "#f1a208", "#6b2d5c", "#555555"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 70, 110, 40, 50


def _ticks(low, high, log):
    if log:
        return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    step = 10 ** math.floor(math.log10(high - low))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if (high - low) / s <= 8)
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def lines(path, title, x_name, y_name, curves, log_y=False, log_x=False):
    """curves: {name: [(x, y), ...]}"""
    points = [p for curve in curves.values() for p in curve]
    x_low, x_high = min(x for x, _ in points) if log_x else 0, max(x for x, _ in points)
    y_low, y_high = (max(min(y for _, y in points), 1e-3) if log_y else 0), max(max(y for _, y in points), 1e-2)
    y_ticks = _ticks(y_low, y_high, log_y)
    if log_y:
        y_low, y_high = y_ticks[0], y_ticks[-1]

    def at(x, y):
        if log_y:
            share = math.log10(max(y, y_low) / y_low) / math.log10(y_high / y_low)
        else:
            share = (y - y_low) / (y_high - y_low)
        along = math.log10(x / x_low) / math.log10(x_high / x_low) if log_x else (x - x_low) / (x_high - x_low)
        return (LEFT + along * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="14">{html.escape(title)}</text>',
           f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{html.escape(x_name)}</text>',
           f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{html.escape(y_name)}</text>']
    for tick in y_ticks:
        _, y = at(x_low, tick)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in _ticks(x_low, x_high, log_x):
        x, y = at(tick, y_low)
        out.append(f'<path d="M{x:.1f} {y:.1f}v5" stroke="#555"/>'
                   f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{tick:g}</text>')
    for i, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        path_d = " ".join(f"{'ML'[k > 0]}{at(*p)[0]:.1f} {at(*p)[1]:.1f}" for k, p in enumerate(curve))
        out.append(f'<path d="{path_d}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{at(*p)[0]:.1f}" cy="{at(*p)[1]:.1f}" r="3" fill="{colour}"/>' for p in curve]
        y = TOP + 10 + 20 * i
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {y}h18" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{WIDTH - RIGHT + 36}" y="{y + 4}">{html.escape(name)}</text>')
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n</svg>\n")
