package demo;

/** Data flow between calls: a warning needs a temperature, which is taken only while enabled. Nothing here is ever run. */
public class Monitor {
    private boolean enabled = false;
    private int temperature;

    void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    void updateTemperature(int temperature) {
        if (enabled) {
            this.temperature = temperature;
        }
    }

    int getTemperature() {
        return temperature;
    }

    boolean warning() {
        return getTemperature() > 80;
    }
}
