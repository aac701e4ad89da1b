"""Curves as SVG images, for defaults.py: several collections in one plot, which `concord eval --plots` does not draw."""
import html
import math

# The distances of the lines of the y axis.
STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, math.inf]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 380, 60, 190, 48, 48
# The colours of the plots of `concord eval`: Okabe and Ito (2008), and two more.
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#7a4a1e"]


def plot(title, x_label, ticks, series, default=None, unit="%"):
    """Returns a plot.

    - ticks: the labels of the x axis; the points of all series are above them, at equal distances.
    - series: (name, values) of each curve; the last one is drawn thick and in black.
    - default: the index of the tick that is marked.
    """
    values = [value for _, points in series for value in points]
    step = next(step for step in STEPS if max(values) - min(values) <= 6 * step)
    low, high = step * math.floor(min(values) / step), step * max(math.ceil(max(values) / step), math.floor(min(values) / step) + 1)

    def x(index):
        return LEFT + (WIDTH - LEFT - RIGHT) * (index + 0.5) / len(ticks)

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)

    body = [_text(title, (WIDTH - RIGHT + LEFT) / 2, 20, "middle", 15), _text(x_label, (WIDTH - RIGHT + LEFT) / 2, HEIGHT - 10, "middle"),
            _text(unit, 8, TOP - 14, "start")]
    for number in range(round((high - low) / step) + 1):
        value = low + step * number
        body.append(_line(LEFT, y(value), WIDTH - RIGHT, y(value), "#888888" if abs(value) < step / 2 else "#dddddd"))
        body.append(_text(f"{value:.4g}" if abs(value) >= step / 2 else "0", LEFT - 8, y(value) + 4, "end"))
    if default is not None:
        body.append(_line(x(default), TOP, x(default), HEIGHT - BOTTOM, "#888888", 'stroke-dasharray="4 4"'))
    for index, tick in enumerate(ticks):
        body.append(_text(tick, x(index), HEIGHT - BOTTOM + 18, "middle"))
    for number, (name, points) in enumerate(series):
        is_last = number == len(series) - 1
        color, width = ("#000000", 3.5) if is_last else (COLORS[number % len(COLORS)], 1.5)
        path = " ".join(f"{x(index):.1f},{y(value):.1f}" for index, value in enumerate(points))
        body.append(f'<polyline fill="none" stroke="{color}" stroke-width="{width}" points="{path}"/>')
        top = TOP + 18 * number
        body.append(_line(WIDTH - RIGHT + 16, top, WIDTH - RIGHT + 40, top, color, f'stroke-width="{width}"'))
        body.append(_text(name, WIDTH - RIGHT + 46, top + 4, "start"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width: {WIDTH}px" '
            'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
            + "\n".join(body) + "\n</svg>\n")


def _line(x1, y1, x2, y2, color, attributes=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" {attributes}/>'


def _text(text, x, y, anchor, size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{html.escape(text)}</text>'
