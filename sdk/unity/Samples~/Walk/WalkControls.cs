using Perigee;
using Perigee.Unity;
using UnityEngine;

/// Keys and mouse for a PerigeeWorld on the same GameObject, and a camera behind the avatar.
[RequireComponent(typeof(PerigeeWorld))]
public sealed class WalkControls : MonoBehaviour
{
    const float RadiansPerPixel = 0.002f;

    public Camera follower;
    PerigeeWorld world;
    float yawRad;
    float pitchRad;

    void Awake()
    {
        world = GetComponent<PerigeeWorld>();
    }

    void Update()
    {
        yawRad += UnityEngine.Input.GetAxis("Mouse X") * RadiansPerPixel * 60;
        pitchRad += UnityEngine.Input.GetAxis("Mouse Y") * RadiansPerPixel * 60;
        pitchRad = Mathf.Clamp(pitchRad, -1.5f, 1.5f);
        var controls = new Perigee.Input
        {
            Right = UnityEngine.Input.GetAxisRaw("Horizontal"),
            Forward = UnityEngine.Input.GetAxisRaw("Vertical"),
            YawRad = -yawRad,
            PitchRad = pitchRad,
            HeldButtons = UnityEngine.Input.GetKey(KeyCode.LeftShift) ? Buttons.Run : Buttons.None,
            PressedButtons = UnityEngine.Input.GetKeyDown(KeyCode.Space) ? Buttons.Jump : Buttons.None
        };
        world.Control(ref controls);
    }

    void LateUpdate()
    {
        if (follower == null || world.Own == null) return;
        Quaternion look = Quaternion.Euler(-pitchRad * Mathf.Rad2Deg, yawRad * Mathf.Rad2Deg, 0);
        Vector3 above = world.Own.transform.position + Vector3.up * 1.5f;
        follower.transform.SetPositionAndRotation(above - look * Vector3.forward * 4, look);
    }
}
