"""Settings of a person, by name."""

import pytest

from upcard.store.bankroll import load_setting, save_setting
from upcard.store.database import open_store
from upcard.store.files import StoreDamagedError


def test_settings_are_kept_by_name(path):
    with open_store(path) as store:
        assert load_setting(store, "look") is None
        save_setting(store, "look", {"theme": "dark"})
        save_setting(store, "look", {"theme": "light", "letters": True})
        save_setting(store, "game", {"bet": 5})
    with open_store(path) as store:
        assert load_setting(store, "look") == {"theme": "light", "letters": True}
        assert load_setting(store, "game") == {"bet": 5}


def test_what_json_cannot_say_is_not_kept(quick_store):
    with pytest.raises(ValueError, match="not JSON compliant"):
        save_setting(quick_store, "look", {"size": float("inf")})
    assert load_setting(quick_store, "look") is None


def test_a_setting_that_is_no_object_is_damage(quick_store):
    save_setting(quick_store, "look", {})
    quick_store.run("UPDATE objects SET value = '[1]'")
    with pytest.raises(StoreDamagedError, match="setting 'look' is not a JSON object"):
        load_setting(quick_store, "look")
